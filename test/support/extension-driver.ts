import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { repoRoot } from "./zot.ts";

export interface Frame {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface DriverOptions {
  readonly cwd?: string;
  /** On top of the test's own environment. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** The part that the type declarations of Bun and of Node agree on. */
interface ByteReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

const WAIT_MS = 10_000;

/** A host in miniature: starts one extension process, sends it frames and waits for its own. */
export class ExtensionDriver implements AsyncDisposable {
  /** Every line the extension wrote, in order. */
  readonly lines: string[] = [];
  readonly #process: Bun.Subprocess<"pipe", "pipe", "pipe">;
  readonly #stdout: ByteReader;
  readonly #unread: Frame[] = [];
  readonly #closed: Promise<void>;
  #stderr = "";
  #waiting: (() => void)[] = [];
  #ended = false;
  /** The first line that was no frame; every wait fails with it. */
  #fault: string | undefined;
  #paused: PromiseWithResolvers<void> | undefined;

  constructor(argv: readonly string[], options: DriverOptions = {}) {
    this.#process = Bun.spawn([...argv], {
      cwd: options.cwd ?? repoRoot,
      env: { ...process.env, ...options.env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
    this.#stdout = this.#process.stdout.getReader();
    this.#closed = Promise.all([this.#readFrames(), this.#readLog()]).then(() => {
      this.#ended = true;
      this.#wake();
    });
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** What the extension has logged so far. */
  get stderr(): string {
    return this.#stderr;
  }

  /** Exit code, 128+n after a signal. By then all output has been read. */
  get exited(): Promise<number> {
    return this.#closed.then(() => this.#process.exited);
  }

  send(...frames: readonly Frame[]): void {
    this.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
  }

  /** Writes text as it is. */
  write(text: string): void {
    this.#process.stdin.write(text);
    this.#process.stdin.flush();
  }

  /** Writes bytes in a chunk of their own. */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    this.#process.stdin.write(bytes);
    await this.#process.stdin.flush();
    // The next write may not join this one in the pipe: give the reader a chance.
    await new Promise<void>((resolveTick) => setImmediate(resolveTick));
  }

  /** Leaves everything that the extension writes in the pipe. */
  pauseReading(): void {
    this.#paused = Promise.withResolvers<void>();
  }

  resumeReading(): void {
    this.#paused?.resolve();
    this.#paused = undefined;
  }

  /** Closes our end of the extension's stdout. */
  async closeStdout(): Promise<void> {
    await this.#stdout.cancel();
  }

  closeStdin(): void {
    this.#process.stdin.end();
  }

  /** The first unread frame that has all of `fields`; what came before it stays unread. */
  async next(fields: Readonly<Record<string, unknown>>, ms = WAIT_MS): Promise<Frame> {
    return await this.#until(`a frame with ${JSON.stringify(fields)}`, ms, () => {
      const found = this.#unread.findIndex((frame) =>
        Object.entries(fields).every(([key, value]) => frame[key] === value),
      );
      return found === -1 ? undefined : this.#unread.splice(found, 1)[0];
    });
  }

  /** Waits until the log holds `text`. */
  async logged(text: string, ms = WAIT_MS): Promise<void> {
    await this.#until(`${JSON.stringify(text)} in the log`, ms, () => (this.#stderr.includes(text) ? true : undefined));
  }

  /** The handshake, up to ready. Gives the hello. */
  async greet(ack: Readonly<Record<string, unknown>> = {}): Promise<Frame> {
    const hello = await this.next({ type: "hello" });
    await this.acknowledge(ack);
    return hello;
  }

  /** The half of the handshake that follows hello. */
  async acknowledge(ack: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.send({ type: "hello_ack", ...ackFields(), ...ack });
    await this.next({ type: "ready" });
  }

  async command(name: string, args?: string): Promise<Frame> {
    const id = `c${this.lines.length}-${name}`;
    this.send({ type: "command_invoked", id, name, ...(args === undefined ? {} : { args }) });
    return await this.next({ type: "command_response", id });
  }

  async tool(name: string, args: unknown): Promise<Frame> {
    const id = `t${this.lines.length}-${name}`;
    this.send({ type: "tool_call", id, name, args });
    return await this.next({ type: "tool_result", id });
  }

  async intercept(event: string, payload: Readonly<Record<string, unknown>>): Promise<Frame> {
    const id = `i${this.lines.length}-${event}`;
    this.send({ type: "event_intercept", id, event, ...payload });
    return await this.next({ type: "event_intercept_response", id });
  }

  /** Ends the extension as a host does, and gives its exit code. */
  async shutdown(): Promise<number> {
    this.send({ type: "shutdown" });
    this.closeStdin();
    return await this.exited;
  }

  /** Kills whatever is left of the process group. */
  async [Symbol.asyncDispose](): Promise<void> {
    try {
      process.kill(-this.#process.pid, "SIGKILL");
    } catch (error) {
      // Gone already: the usual case.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
    await this.#closed;
  }

  async #until<T>(what: string, ms: number, look: () => T | undefined): Promise<T> {
    const deadline = performance.now() + ms;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      const left = deadline - performance.now();
      if (this.#fault !== undefined || this.#ended || left <= 0) {
        const end = this.#ended ? `the extension ended (${this.#process.exitCode})` : `${ms} ms went by`;
        const why = this.#fault ?? end;
        throw new Error(`${why} without ${what}\nstdout:\n${this.lines.join("\n")}\nstderr:\n${this.#stderr}`);
      }
      await this.#change(left);
    }
  }

  /** Resolves when the extension has written something or ended, at the latest after `ms`. */
  async #change(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((wake) => {
      this.#waiting.push(wake);
      timer = setTimeout(wake, ms);
    });
    clearTimeout(timer);
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async #readFrames(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      await this.#paused?.promise;
      const { done, value } = await this.#stdout.read();
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#receive(line);
      this.#wake();
    }
    if (rest !== "") this.#receive(rest);
  }

  async #readLog(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.#process.stderr) {
      this.#stderr += decoder.decode(chunk, { stream: true });
      this.#wake();
    }
  }

  #receive(line: string): void {
    this.lines.push(line);
    const frame = frameIn(line);
    if (frame === undefined) this.#fault ??= `a line that is no frame: ${line}`;
    else this.#unread.push(frame);
  }
}

/** Runs a source file as the host would, but from this checkout's sources. */
export function sourceCommand(file: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, join(repoRoot, "src", "main.ts"), "__run-ext", file, ...args];
}

/** Starts the extension in `dir` as its manifest says. */
export function driveExtension(dir: string, options: DriverOptions = {}): ExtensionDriver {
  const manifest: unknown = JSON.parse(readFileSync(join(dir, "extension.json"), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("exec" in manifest) || typeof manifest.exec !== "string") {
    throw new Error(`${dir}/extension.json has no exec`);
  }
  const file = resolve(dir, manifest.exec);
  const argv = /\.[cm]?[jt]sx?$/.test(file) ? sourceCommand(file) : [file];
  return new ExtensionDriver(argv, { cwd: dir, ...options });
}

function ackFields(): Readonly<Record<string, unknown>> {
  return { protocol_version: 1, zot_version: "0.0.0", provider: "offline", model: "offline", cwd: repoRoot };
}

function frameIn(line: string): Frame | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isFrame(value) ? value : undefined;
  } catch {
    // Not JSON: the caller keeps the line as the fault.
    return undefined;
  }
}

function isFrame(value: unknown): value is Frame {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}
