import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ModelServer } from "../../support/model-server.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";
import { zotBinary } from "../../support/zot.ts";

/** One frame of the program under test. */
export interface Frame {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface RpcProcessOptions {
  /** What makes it rpc; default `rpc`. */
  readonly command?: readonly string[];
  /** Further arguments. */
  readonly args?: readonly string[];
  /** The model behind it; absent: the offline model. */
  readonly server?: ModelServer;
  readonly env?: Readonly<Record<string, string>>;
  /** HOME, ZOT_HOME and project live below it. Default: a fresh folder. */
  readonly home?: string;
  /** False: nothing is read until `read()`. */
  readonly reads?: boolean;
}

/** Longest wait for anything, in ms. */
const WAIT_MS = 15_000;
/** Enough of the raw output to look at. */
const RAW_MAX_CHARS = 1_000_000;

/** `zot rpc` through real pipes. Wait for frames, never for time. */
export class RpcProcess implements AsyncDisposable {
  /** Every frame so far, in order. */
  readonly frames: Frame[] = [];
  /** Lines that are no frame. */
  readonly badLines: string[] = [];
  readonly cwd: string;
  readonly home: string;
  stderr = "";
  /** Everything on stdout, as it came. */
  rawText = "";
  readonly #folder: TempDir | undefined;
  readonly #process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #waiting = new Set<() => void>();
  #reading: Promise<void> | undefined;
  #ended = false;

  private constructor(folder: TempDir | undefined, home: string, options: RpcProcessOptions) {
    this.#folder = folder;
    this.home = home;
    this.cwd = join(home, "project");
    const { server, args = [], env, command = ["rpc"] } = options;
    const model = server === undefined ? ["--provider", "offline"] : modelArgs(server);
    this.#process = Bun.spawn([zotBinary, ...command, ...model, ...args], {
      cwd: this.cwd,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: join(home, "home"),
        ZOT_HOME: join(home, "zot"),
        TMPDIR: join(home, "tmp"),
        LANG: "C.UTF-8",
        NO_COLOR: "1",
        OPENAI_API_KEY: "sk-test",
        ...env,
      },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      // Unread output must stay in the pipe, where it is the program's problem.
      lazy: true,
      detached: true,
    });
    void this.#collectStderr();
    if (options.reads !== false) this.read();
  }

  static async start(options: RpcProcessOptions = {}): Promise<RpcProcess> {
    const folder = options.home === undefined ? await tempDir("zot-rpc-") : undefined;
    const home = options.home ?? folder?.path ?? "";
    for (const name of ["home", "zot", "project", "tmp"]) await mkdir(join(home, name), { recursive: true });
    return new RpcProcess(folder, home, options);
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** The exit status, once it has ended. */
  get exited(): Promise<number> {
    return this.#process.exited;
  }

  /** Where the private files of the process go. */
  get tmp(): string {
    return join(this.home, "tmp");
  }

  /** Begins to read stdout, unless that has been done. */
  read(): void {
    this.#reading ??= this.#read();
  }

  /** Sends a frame, or text as it is. */
  send(frame: Readonly<Record<string, unknown>> | string): void {
    this.#process.stdin.write(typeof frame === "string" ? frame : `${JSON.stringify(frame)}\n`);
    void this.#process.stdin.flush();
  }

  /** Sends bytes, and resolves when they have left. */
  async sendBytes(bytes: Uint8Array): Promise<void> {
    this.#process.stdin.write(bytes);
    await this.#process.stdin.flush();
    // Two writes of one tick could still arrive as one.
    await Bun.sleep(5);
  }

  /** Sends a command and waits for its response. */
  async ask(frame: Readonly<Record<string, unknown>> & { readonly id: unknown }): Promise<Frame> {
    this.send(frame);
    return await this.response(frame.id);
  }

  response(id: unknown): Promise<Frame> {
    return this.until((frame) => frame.type === "response" && frame["id"] === id, `the response to ${String(id)}`);
  }

  /** The `prompt_result` of a prompt. */
  result(id: unknown): Promise<Frame> {
    return this.until((frame) => frame.type === "prompt_result" && frame["id"] === id, `the result of ${String(id)}`);
  }

  /** The first frame that `matches`, from number `from` on; waits for it. Throws when the process ends before. */
  async until(matches: (frame: Frame) => boolean, what = "a frame", from = 0): Promise<Frame> {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const found = this.frames.slice(from).find(matches);
      if (found !== undefined) return found;
      if (this.#ended) throw new Error(`zot ended without ${what}\n${this.stderr}`);
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`waited in vain for ${what}; last: ${JSON.stringify(this.frames.at(-1))}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, left);
      this.#waiting.add(resolve);
      await promise;
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    }
  }

  /** Frames of these types, in order. */
  ofType(...types: readonly string[]): Frame[] {
    return this.frames.filter(({ type }) => types.includes(type));
  }

  /** Closes stdin; the process goes on. */
  async closeInput(): Promise<void> {
    await this.#process.stdin.end();
  }

  /** Closes stdin and waits for the end. Throws when that takes too long. */
  async close(): Promise<number> {
    await this.closeInput();
    this.read();
    const timer = setTimeout(() => this.kill("SIGKILL"), WAIT_MS);
    const status = await this.exited;
    clearTimeout(timer);
    await this.#reading;
    return status;
  }

  /** Closes our end of stdout. */
  async closeOutput(): Promise<void> {
    await this.#process.stdout.cancel();
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-this.pid, "SIGKILL");
    } catch {
      // It ended by itself, which is what most tests want.
    }
    await this.exited;
    await this.#folder?.[Symbol.asyncDispose]();
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.#process.stdout) {
      const text = decoder.decode(chunk, { stream: true });
      if (this.rawText.length < RAW_MAX_CHARS) this.rawText += text;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(line);
      this.#wake();
    }
    if (rest !== "") this.badLines.push(rest);
    this.#ended = true;
    this.#wake();
  }

  #take(line: string): void {
    try {
      const value: unknown = JSON.parse(line);
      if (isFrame(value)) this.frames.push(value);
      else this.badLines.push(line);
    } catch {
      this.badLines.push(line);
    }
  }

  #wake(): void {
    for (const resolve of [...this.#waiting]) resolve();
  }

  async #collectStderr(): Promise<void> {
    for await (const chunk of this.#process.stderr) this.stderr += new TextDecoder().decode(chunk);
  }
}

function modelArgs(server: ModelServer): string[] {
  return ["--provider", "openai", "--base-url", server.url("openai"), "--model", "fake"];
}

function isFrame(value: unknown): value is Frame {
  return value !== null && typeof value === "object" && "type" in value && typeof value.type === "string";
}
