import { join } from "node:path";
import { binary } from "../../src/build/project.ts";

const DEADLINE_MS = 60_000;
const LF = 0x0a;
/** Longer than any text that is waited for. */
const TAIL_BYTES = 256;

/** A client of `zot rpc` that parses nothing: it counts lines and looks for texts. */
export class CountingClient implements AsyncDisposable {
  /** Lines so far. */
  lines = 0;
  readonly #process: Bun.Subprocess<"pipe", "pipe", "inherit">;
  readonly #waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  readonly #timer: NodeJS.Timeout;
  #tail = Buffer.alloc(0);

  /** @param folder holds HOME and ZOT_HOME */
  constructor(folder: string, args: readonly string[]) {
    this.#process = Bun.spawn([binary, "rpc", "--no-session", ...args], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, ZOT_HOME: join(folder, "zot") },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    this.#timer = setTimeout(() => this.#process.kill("SIGKILL"), DEADLINE_MS);
    void this.#read();
  }

  get pid(): number {
    return this.#process.pid;
  }

  send(frame: Readonly<Record<string, unknown>>): void {
    this.#process.stdin.write(`${JSON.stringify(frame)}\n`);
    void this.#process.stdin.flush();
  }

  /** Resolves when `text` comes. */
  until(text: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ text, resolve }));
  }

  /** Sends a command and waits for its response. */
  async ask(frame: Readonly<Record<string, unknown>> & { readonly id: string }): Promise<void> {
    const answered = this.until(`"id":"${frame.id}","command"`);
    this.send(frame);
    await answered;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process.stdin.end();
    await this.#process.exited;
    clearTimeout(this.#timer);
  }

  async #read(): Promise<void> {
    for await (const chunk of this.#process.stdout) {
      for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) this.lines += 1;
      const text = Buffer.concat([this.#tail, chunk]);
      this.#tail = text.subarray(-TAIL_BYTES);
      for (const waiting of [...this.#waiting]) {
        if (!text.includes(waiting.text)) continue;
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        waiting.resolve();
        // What was found must not be found again for whoever waits next.
        this.#tail = Buffer.alloc(0);
      }
    }
  }
}
