import { setTimeout as sleep } from "node:timers/promises";
import { systemText } from "../../../host/error.ts";
import { searchPath } from "../../../host/launch/exec.ts";
import { liveGroups, signalGroup } from "../../../host/launch/live-groups.ts";
import { TERM_TO_KILL_MS } from "../../../wire/limits.ts";
import { CliError } from "../../error.ts";
import {
  GIT_EOF_AFTER_EXIT_MS,
  GIT_LOW_SPEED_BYTES,
  GIT_LOW_SPEED_SECONDS,
  GIT_STDERR_KEPT_CHARS,
  GIT_STDOUT_MAX_BYTES,
} from "../limits.ts";

/** Point git at another repository than the one it is asked about; set when zot is started from a git hook. */
const REPOSITORY_VARIABLE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|SHALLOW_FILE|IMPLICIT_WORK_TREE|GRAFT_FILE)$/;
/** Change what a program built with Bun does (architecture.md rule 9); a credential helper may be one. */
const RUNTIME_VARIABLE = /^BUN_(BE_BUN|OPTIONS|INSPECT|JSC_|FEATURE_FLAG_)/;
/** A repository's own settings must not make git run programs that the repository brings: an install runs nothing. */
const NO_PROGRAMS_OF_THE_REPOSITORY = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

export interface GitOptions {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** What git reports as it goes on, line by line. */
  onProgress?(line: string): void;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: string;
  /** The end of it. */
  readonly stderr: string;
}

/** The git of this machine; undefined when PATH has none. */
export function findGit(): string | undefined {
  return searchPath("git", process.env["PATH"]);
}

/**
 * Runs git to its end, in a process group of its own that is ended on abort and at the deadline. It asks nothing.
 * Throws the reason of an abort, and `CliError` for a deadline or too much output.
 */
export async function runGit(git: string, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const { signal, deadlineMs } = options;
  signal.throwIfAborted();
  const child = start(git, args);
  using _entry = liveGroups.add(child.pid);
  const deadline = AbortSignal.timeout(deadlineMs);
  const stop = AbortSignal.any([signal, deadline]);
  let ending: Promise<void> | undefined;
  const onStop = (): void => {
    ending = endGroup(child);
  };
  stop.addEventListener("abort", onStop, { once: true });
  const reading = new AbortController();
  try {
    const stdout = new Capture(GIT_STDOUT_MAX_BYTES);
    const stderr = new Capture(GIT_STDERR_KEPT_CHARS);
    const read = Promise.all([
      stdout.fill(child.stdout, reading.signal),
      stderr.fill(child.stderr, reading.signal, options.onProgress),
    ]);
    const code = await child.exited;
    // What git leaves in the background, such as a credential cache, may keep the pipes open for hours.
    await Promise.race([read, sleep(GIT_EOF_AFTER_EXIT_MS)]);
    signal.throwIfAborted();
    if (deadline.aborted) throw new CliError("failed", `git took longer than ${Math.round(deadlineMs / 1000)} s`);
    if (stdout.isCut) throw new CliError("failed", `git printed more than ${GIT_STDOUT_MAX_BYTES} bytes`);
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    reading.abort();
    stop.removeEventListener("abort", onStop);
    await ending;
  }
}

function start(git: string, args: readonly string[]): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  try {
    return Bun.spawn([git, ...NO_PROGRAMS_OF_THE_REPOSITORY, ...args], {
      env: gitEnvironment(process.env),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
  } catch (error) {
    throw new CliError("failed", `cannot start ${git}: ${systemText(error)}`, error);
  }
}

async function endGroup(child: Bun.Subprocess): Promise<void> {
  signalGroup(child.pid, "SIGTERM");
  await Promise.race([child.exited, sleep(TERM_TO_KILL_MS)]);
  signalGroup(child.pid, "SIGKILL");
}

/** The last `limit` characters of a stream. */
class Capture {
  readonly #limit: number;
  text = "";
  isCut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  async fill(stream: ReadableStream<Uint8Array>, signal: AbortSignal, onLine?: (line: string) => void): Promise<void> {
    const decoder = new TextDecoder();
    const reader = stream.getReader();
    const cancel = (): void => void reader.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const chunk = decoder.decode(value, { stream: true });
      this.text += chunk;
      if (this.text.length > this.#limit) {
        this.text = this.text.slice(-this.#limit);
        this.isCut = true;
      }
      const line = onLine === undefined ? undefined : chunk.split(/[\r\n]/).findLast((part) => part.trim() !== "");
      if (line !== undefined) onLine?.(line);
    }
  }
}

function gitEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const own: Record<string, string> = {
    GIT_HTTP_LOW_SPEED_LIMIT: String(GIT_LOW_SPEED_BYTES),
    GIT_HTTP_LOW_SPEED_TIME: String(GIT_LOW_SPEED_SECONDS),
  };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !REPOSITORY_VARIABLE.test(name) && !RUNTIME_VARIABLE.test(name)) {
      own[name] = value;
    }
  }
  // A prompt for a password would wait for ever behind our back (extension-host.md §7.6).
  own["GIT_TERMINAL_PROMPT"] = "0";
  return own;
}
