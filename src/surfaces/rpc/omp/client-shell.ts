import { runCommand } from "../../../agent/tools/bash/command.ts";
import { CommandOutput } from "../../../agent/tools/bash/command-output.ts";
import { commandEnvironment, shellCommand } from "../../../agent/tools/bash/shell.ts";
import { BASH_RUNNING_MAX } from "../limits.ts";
import type { OmpBashExecution } from "./message.ts";

/** What a command of the client printed and how it ended (rpc-wire.md §2, `bash`). */
export interface BashResult {
  readonly output: string;
  /** Absent when it was cancelled. */
  readonly exitCode?: number;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly totalLines: number;
  readonly totalBytes: number;
  readonly outputLines: number;
  readonly outputBytes: number;
  readonly workingDir: string;
}

/** Shell commands that the client runs beside the agent. */
export class ClientShell {
  readonly #cwd: string;
  readonly #running = new Map<AbortController, Promise<unknown>>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** No further command may be started now. */
  get isFull(): boolean {
    return this.#running.size >= BASH_RUNNING_MAX;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Runs one command to its end. Throws what spawning it throws. */
  async run(command: string): Promise<BashResult> {
    const abort = new AbortController();
    const run = this.#run(command, abort.signal);
    this.#running.set(abort, run);
    try {
      return await run;
    } finally {
      this.#running.delete(abort);
    }
  }

  /** Ends what runs. */
  abort(): void {
    for (const abort of this.#running.keys()) abort.abort();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running.values());
  }

  async #run(command: string, signal: AbortSignal): Promise<BashResult> {
    const output = new CommandOutput(() => undefined);
    let totalBytes = 0;
    let breaks = 0;
    const end = await runCommand({
      argv: shellCommand(command),
      cwd: this.#cwd,
      env: commandEnvironment(process.env),
      signal,
      take: (chunk) => {
        totalBytes += chunk.length;
        for (const byte of chunk) if (byte === LF) breaks += 1;
        return output.push(chunk);
      },
    });
    const { text, note } = await output.finish();
    const cancelled = end.cause === "cancelled";
    const shown = cancelled ? `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}[Command cancelled]\n` : text;
    return {
      output: `${shown}${note.trim()}`,
      ...(cancelled || end.code === null ? {} : { exitCode: end.code }),
      cancelled,
      truncated: note !== "",
      totalLines: totalBytes === 0 ? 0 : breaks + 1,
      totalBytes,
      outputLines: text === "" ? 0 : text.split("\n").length,
      outputBytes: Buffer.byteLength(text),
      workingDir: this.#cwd,
    };
  }
}

const LF = 0x0a;

/** How the transcript shows it to the client. */
export function bashExecution(command: string, result: BashResult, isExcluded: boolean): OmpBashExecution {
  const { output, exitCode, cancelled, truncated } = result;
  return {
    role: "bashExecution",
    command,
    output,
    ...(exitCode === undefined ? {} : { exitCode }),
    cancelled,
    truncated,
    ...(isExcluded ? { excludeFromContext: true } : {}),
    timestamp: Date.now(),
  };
}

/** What the model is told of it. */
export function bashText(command: string, { output, exitCode, cancelled }: BashResult): string {
  const status = cancelled ? "cancelled" : `exit ${exitCode ?? "unknown"}`;
  return `The user ran this command in the project directory:\n\n$ ${command}\n\n${output}\n[${status}]`;
}
