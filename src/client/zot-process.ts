import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { ChunkReader } from "./chunk-reader.ts";
import { ZotError } from "./error.ts";
import { type Fields, type Frame, isFrame } from "./frames.ts";
import { CLOSE_DEADLINE_MS, KILL_AFTER_MS, STDERR_MAX_CHARS } from "./limits.ts";
import { LineReader } from "./line-reader.ts";

export interface ZotProcessOptions {
  /** The program; default `zot`, found on PATH. */
  readonly command?: string;
  /** Arguments behind `rpc`. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface ZotProcessListener {
  frame(frame: Frame): void;
  /** Called once; nothing comes after it. */
  ended(error: ZotError): void;
}

/** `zot rpc` as a child process: frames in, frames out. */
export class ZotProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #listener: ZotProcessListener;
  readonly #lines = new LineReader();
  readonly #chunks = new ChunkReader();
  readonly #exited: Promise<number>;
  #stderr = "";
  #isOver = false;

  constructor({ command = "zot", args = [], cwd, env }: ZotProcessOptions, listener: ZotProcessListener) {
    this.#listener = listener;
    this.#child = spawn(command, ["rpc", ...args], { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
    const { stdin, stdout, stderr } = this.#child;
    stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    stderr.setEncoding("utf8");
    stderr.on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_MAX_CHARS);
    });
    // What cannot be written is told by the end of the process.
    stdin.on("error", () => undefined);
    this.#exited = new Promise((resolve) => {
      this.#child.on("error", (error) => {
        this.#over(new ZotError("start", `${command} could not be started: ${error.message}`));
        resolve(1);
      });
      this.#child.on("close", (code, signal) => {
        const how = code === null ? `by ${signal ?? "a signal"}` : `with status ${code}`;
        const told = this.#stderr.trim();
        this.#over(new ZotError("ended", `zot ended ${how}${told === "" ? "" : `: ${told}`}`));
        resolve(code ?? 1);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Sends a frame; nothing happens when zot is gone. */
  send(frame: Fields): void {
    if (!this.#isOver) this.#child.stdin.write(`${JSON.stringify(frame)}\n`);
  }

  /** Closes its stdin, which ends it when its work is done; resolves with the exit status. After `ms` it is ended. */
  async close(ms = CLOSE_DEADLINE_MS): Promise<number> {
    this.#child.stdin.end();
    // The first asks it to stop its extensions, too.
    const timers = [
      setTimeout(() => this.#child.kill("SIGTERM"), ms),
      setTimeout(() => this.#child.kill("SIGKILL"), ms + KILL_AFTER_MS),
    ];
    try {
      return await this.#exited;
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#take(line);
    } catch (error) {
      if (!(error instanceof ZotError)) throw error;
      this.#over(error);
      this.#child.kill("SIGKILL");
    }
  }

  #take(line: string): void {
    const frame = parsed(line);
    if (frame.type !== "rpc_chunk") {
      this.#chunks.between();
      this.#listener.frame(frame);
      return;
    }
    const whole = this.#chunks.take(frame);
    if (whole !== undefined) this.#listener.frame(parsed(whole));
  }

  #over(error: ZotError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.ended(error);
  }
}

function parsed(line: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The text below says what came.
    value = undefined;
  }
  if (isFrame(value)) return value;
  throw new ZotError("protocol", `not a frame: ${line.slice(0, 200)}`);
}
