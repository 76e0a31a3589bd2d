import { setTimeout as sleep } from "node:timers/promises";
import { KILL_TO_GONE_MS, ORPHAN_GROUP_GRACE_MS, TERM_TO_KILL_MS } from "../../wire/limits.ts";
import { raceTimeout } from "../race.ts";
import { groupIsAlive, liveGroups, signalGroup } from "./live-groups.ts";

/** Never handed to a child: they would change what a Bun-built program does (architecture.md rule 9). */
const PRIVATE_ENV = /^(BUN_BE_BUN|BUN_OPTIONS|BUN_INSPECT.*|BUN_JSC_.*|BUN_FEATURE_FLAG_.*)$/;

const GROUP_POLL_MS = 10;

export interface SpawnOptions {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Open descriptor that takes the child's stderr. */
  readonly stderrFd: number;
  /** Adds the belt that makes a Bun child die with its parent even on SIGKILL (bun.md §5). */
  readonly dieWithParent: boolean;
}

/** A child in a process group of its own. `exited` is the one promise everybody waits on (defect 47). */
export class ExtensionProcess {
  readonly #child: Bun.Subprocess<"pipe", "pipe", number>;
  readonly #entry: Disposable;
  readonly #exited = Promise.withResolvers<void>();

  /** Throws the system's error when the program cannot be started. */
  constructor(options: SpawnOptions) {
    this.#child = Bun.spawn([...options.argv], {
      cwd: options.cwd,
      env: childEnv(options),
      stdin: "pipe",
      stdout: "pipe",
      stderr: options.stderrFd,
      detached: true,
    });
    this.#entry = liveGroups.add(this.pid);
    void this.#child.exited.then(() => this.#exited.resolve());
  }

  get pid(): number {
    return this.#child.pid;
  }

  get stdout(): ReadableStream<Uint8Array> {
    return this.#child.stdout;
  }

  get stdin(): Bun.FileSink {
    return this.#child.stdin;
  }

  /** Settles when the leader has been reaped, or given up because nothing ends it. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** `exit status 3` or `signal: killed`; undefined while it runs (extension-host.md §2.3). */
  get exitText(): string | undefined {
    const { exitCode, signalCode } = this.#child;
    if (signalCode !== null) return `signal: ${SIGNAL_TEXTS[signalCode] ?? signalCode}`;
    return exitCode === null ? undefined : `exit status ${exitCode}`;
  }

  /**
   * Makes sure that the whole group is gone: waits `graceMs` for the leader to end by itself, then SIGTERM to the
   * group, a second later SIGKILL (§7.2). Grandchildren that outlive the leader are ended too.
   */
  async end(graceMs: number): Promise<void> {
    if (await raceTimeout(this.exited, graceMs)) {
      signalGroup(this.pid, "SIGTERM");
      if (await raceTimeout(this.exited, TERM_TO_KILL_MS)) await this.#killLeader();
    }
    await this.#endGroup();
    this.#entry[Symbol.dispose]();
  }

  /** Ends a group that failed to start properly: nothing in it deserves a grace. */
  async kill(): Promise<void> {
    await this.#killLeader();
    this.#entry[Symbol.dispose]();
  }

  /** With a deadline: what runs as another user cannot be signalled, and an exit of ours must not wait for it. */
  async #killLeader(): Promise<void> {
    signalGroup(this.pid, "SIGKILL");
    if (!(await raceTimeout(this.exited, KILL_TO_GONE_MS))) return;
    this.#child.unref();
    this.#exited.resolve();
  }

  async #endGroup(): Promise<void> {
    if (!signalGroup(this.pid, "SIGTERM")) return;
    const deadline = performance.now() + ORPHAN_GROUP_GRACE_MS;
    while (performance.now() < deadline) {
      await sleep(GROUP_POLL_MS);
      if (!groupIsAlive(this.pid)) return;
    }
    signalGroup(this.pid, "SIGKILL");
  }
}

function childEnv(options: SpawnOptions): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [key, value] of Object.entries(options.env)) {
    if (value !== undefined && !PRIVATE_ENV.test(key)) env[key] = value;
  }
  env["PWD"] = options.cwd;
  if (options.dieWithParent) env["BUN_FEATURE_FLAG_NO_ORPHANS"] = "1";
  return env;
}

/** The words of Go's process texts, which tools match on. */
const SIGNAL_TEXTS: Readonly<Record<string, string>> = {
  SIGHUP: "hangup",
  SIGINT: "interrupt",
  SIGQUIT: "quit",
  SIGILL: "illegal instruction",
  SIGTRAP: "trace/breakpoint trap",
  SIGABRT: "aborted",
  SIGBUS: "bus error",
  SIGFPE: "floating point exception",
  SIGKILL: "killed",
  SIGUSR1: "user defined signal 1",
  SIGSEGV: "segmentation fault",
  SIGUSR2: "user defined signal 2",
  SIGPIPE: "broken pipe",
  SIGALRM: "alarm clock",
  SIGTERM: "terminated",
  SIGXCPU: "CPU time limit exceeded",
  SIGXFSZ: "file size limit exceeded",
  SIGSYS: "bad system call",
};
