import { groupIsAlive, liveGroups, signalGroup } from "../../../host/launch/live-groups.ts";
import { BACKGROUND_GRACE_MS, BACKGROUND_TERM_MS, DRAIN_MAX_MS, STOP_KILL_MS, STOP_TERM_MS } from "../limits.ts";
import { type OutputPipe, openOutputPipe, type TakeChunk } from "./output-pipe.ts";
import { isGroupDead, killPipeHolders } from "./process-table.ts";
import { settlesWithin } from "./within.ts";

/** Doubled from poll to poll, as a poll may look at every process of the machine. */
const FIRST_POLL_MS = 5;
/** The longest delay that a timer can have; a longer timeout counts as this one, 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface CommandRun {
  readonly argv: string[];
  readonly cwd: string;
  readonly env: Record<string, string>;
  /** ms; absent means no limit. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
  readonly take: TakeChunk;
}

/** How a command ended. `code` is 128 + n after signal n, and null when the process could not be ended at all. */
export interface CommandEnd {
  readonly cause: "exit" | "timeout" | "cancelled";
  readonly code: number | null;
}

/** One started command: its process group and the end of its output. */
interface Started {
  readonly leader: number;
  readonly pipe: OutputPipe;
  readonly drained: Promise<void>;
}

/**
 * Runs a command in a process group of its own and returns when the group is gone: by itself, by timeout or by
 * cancel. What the shell leaves running in the background is ended shortly after it (extension-host.md §8.1). Throws
 * what spawning or reading throws; no process is left then either.
 */
export async function runCommand(run: CommandRun): Promise<CommandEnd> {
  await using pipe = await openOutputPipe();
  if (run.signal.aborted) return { cause: "cancelled", code: null };
  const child = Bun.spawn(run.argv, {
    cwd: run.cwd,
    env: run.env,
    stdio: ["ignore", pipe.target, pipe.target],
    detached: true,
    windowsVerbatimArguments: true,
  });
  using _entry = liveGroups.add(child.pid);
  const drained = pipe.drain(child, run.take);
  const started: Started = { leader: child.pid, pipe, drained };
  const cause = await firstCause(child.exited, drained, run);
  if (cause === "exit") await stopGroup(started, BACKGROUND_GRACE_MS, BACKGROUND_TERM_MS);
  else await stopGroup(started, 0, STOP_TERM_MS);
  const code = (await settlesWithin(child.exited, STOP_KILL_MS)) ? await child.exited : null;
  return { cause, code };
}

async function firstCause(
  exited: Promise<number>,
  drained: Promise<void>,
  run: CommandRun,
): Promise<CommandEnd["cause"]> {
  const { promise, resolve } = Promise.withResolvers<CommandEnd["cause"]>();
  const onAbort = (): void => resolve("cancelled");
  // Nobody reads any more, so the command would block for ever; the error itself comes out of stopGroup.
  drained.catch(onAbort);
  const limit = run.timeoutMs;
  const timer = limit === undefined ? undefined : setTimeout(() => resolve("timeout"), Math.min(limit, MAX_TIMER_MS));
  run.signal.addEventListener("abort", onAbort);
  try {
    return await Promise.race([exited.then((): CommandEnd["cause"] => "exit"), promise]);
  } finally {
    clearTimeout(timer);
    run.signal.removeEventListener("abort", onAbort);
  }
}

/** Waits `graceMs` for the group to end by itself, then asks it to, then makes it. */
async function stopGroup(started: Started, graceMs: number, termMs: number): Promise<void> {
  const { leader, pipe, drained } = started;
  if (await isOver(started, graceMs)) return drained;
  if (signalGroup(leader, "SIGTERM") && (await isOver(started, termMs))) return drained;
  signalGroup(leader, "SIGKILL");
  if (pipe.path !== null) killPipeHolders(pipe.path);
  if (await settlesWithin(drained, STOP_KILL_MS)) return drained;
  await settlesWithin(pipe.stop(), DRAIN_MAX_MS);
}

/** True when the output ends and the last process of the group goes within `ms`. */
async function isOver(started: Started, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  if (!(await settlesWithin(started.drained, ms))) return false;
  for (let pause = FIRST_POLL_MS; groupIsAlive(started.leader) && !isGroupDead(started.leader); pause *= 2) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await Bun.sleep(Math.min(pause, left));
  }
  return true;
}
