/** What a socketpair takes before a writer has to wait (bun.md §4: about three times 64 KiB). */
const PIPE_BYTES = 192 * 1024;

/** How a program takes being told to end. */
export interface Manners {
  /** Ends itself when its stdin does. */
  readonly heedsEof: boolean;
  /** Dies of SIGTERM; SIGKILL ends everybody. */
  readonly heedsTerm: boolean;
}

/**
 * A child process without a process: what `Bun.spawn` gives and the kernel does, as far as the host can see it
 * (bun.md §4, §5). Its pipes take and give exactly what a test says, when it says so.
 */
export class SimulatedChild {
  // What the host sees.
  readonly pid: number;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stdin: {
    write(data: string | Uint8Array): number | Promise<number> | true;
    flush(): number | Promise<number> | undefined;
    end(): number | Promise<number>;
  };
  readonly exited: Promise<number>;
  exitCode: number | null = null;
  signalCode: string | null = null;

  // What the test sees.
  /** Base name of its working directory. */
  readonly name: string;
  /** Called with every line that it reads. */
  onLine: (line: string) => void = () => undefined;
  manners: Manners = { heedsEof: true, heedsTerm: true };
  readonly #exit = Promise.withResolvers<number>();
  readonly #decoder = new TextDecoder();
  #out: ReadableStreamDefaultController<Uint8Array> | undefined;
  #unread = "";
  #line = "";
  #blocked: PromiseWithResolvers<number> | undefined;
  #reading = true;
  #earShut = false;
  #sawEof = false;
  /** In its group besides itself; they keep its stdout open. */
  #grandchildren = 0;

  constructor(pid: number, name: string) {
    this.pid = pid;
    this.name = name;
    this.exited = this.#exit.promise;
    this.stdout = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#out = controller;
      },
      cancel: () => {
        this.#out = undefined;
      },
    });
    this.stdin = {
      write: (data) => this.#write(typeof data === "string" ? data : this.#decoder.decode(data)),
      flush: () => this.#blocked?.promise ?? (this.isRunning ? 0 : undefined),
      end: () => this.#endOfInput(),
    };
  }

  get isRunning(): boolean {
    return this.exitCode === null && this.signalCode === null;
  }

  /** Whether what it says can be heard. */
  get canSpeak(): boolean {
    return this.isRunning && this.#out !== undefined;
  }

  /** Whether a writer waits for it to read. */
  get isBlocked(): boolean {
    return this.#blocked !== undefined;
  }

  /** Whether anybody of its group is left. */
  get groupIsAlive(): boolean {
    return this.isRunning || this.#grandchildren > 0;
  }

  /** Writes one chunk to its stdout. */
  say(bytes: Uint8Array): void {
    if (this.isRunning && bytes.length > 0) this.#out?.enqueue(bytes);
  }

  /** Leaves what comes in the pipe, or reads on. */
  setReading(reading: boolean): void {
    this.#reading = reading;
    if (!reading || !this.isRunning) return;
    const unread = this.#unread;
    this.#unread = "";
    this.#blocked?.resolve(0);
    this.#blocked = undefined;
    this.#take(unread);
    if (this.#sawEof && this.manners.heedsEof) this.exit(0);
  }

  shutEar(): void {
    this.#earShut = true;
    this.#breakPipe();
  }

  shutMouth(): void {
    this.#out?.close();
    this.#out = undefined;
  }

  /** Starts a program of its own, which stays in its group. */
  fork(): void {
    if (this.isRunning) this.#grandchildren += 1;
  }

  exit(code: number): void {
    this.#die(() => {
      this.exitCode = code;
    }, code);
  }

  /** As the kernel delivers it to the whole group. False when nobody is left. */
  signal(signal: string | number): boolean {
    if (!this.groupIsAlive) return false;
    if (signal === 0) return true;
    if (signal === "SIGKILL" || this.manners.heedsTerm) {
      this.#grandchildren = 0;
      if (!this.isRunning) this.shutMouth();
      this.crash(String(signal));
    }
    return true;
  }

  /** Ends by a signal. */
  crash(signal: string): void {
    this.#die(() => {
      this.signalCode = signal;
    }, 137);
  }

  #die(mark: () => void, status: number): void {
    if (!this.isRunning) return;
    mark();
    this.#breakPipe();
    if (this.#grandchildren === 0) this.shutMouth();
    this.#exit.resolve(status);
  }

  #write(text: string): number | Promise<number> | true {
    if (!this.isRunning) return true;
    if (this.#earShut) throw brokenPipe();
    if (this.#reading) {
      this.#take(text);
      return text.length;
    }
    this.#unread += text;
    if (this.#unread.length <= PIPE_BYTES) return text.length;
    this.#blocked ??= Promise.withResolvers<number>();
    return this.#blocked.promise;
  }

  #take(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) this.onLine(line);
  }

  #endOfInput(): number | Promise<number> {
    this.#sawEof = true;
    if (this.#blocked !== undefined) return this.#blocked.promise;
    if (this.#reading && this.manners.heedsEof) this.exit(0);
    return 0;
  }

  /** Whoever waits for the pipe to take more waits in vain. */
  #breakPipe(): void {
    this.#blocked?.reject(brokenPipe());
    this.#blocked = undefined;
    this.#unread = "";
  }
}

function brokenPipe(): Error {
  return Object.assign(new Error("EPIPE: broken pipe, write"), { code: "EPIPE" });
}
