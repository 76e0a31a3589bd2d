import { closeSync, constants, openSync, writeSync } from "node:fs";

/** How a frame of the terminal library begins (synchronized output). */
const FRAME_START = "\u001b[?2026h";
const RETRY_MS = 4;
/** A terminal that is this far behind is not being read; one that only reads in pieces never is. */
const FRAMES_MAX_BYTES = 128 * 1024;
/** Room for what is not a frame, such as switching modes off again. */
const WAITING_MAX_BYTES = 2 * FRAMES_MAX_BYTES;

export interface OutputListener {
  /** The terminal takes nothing any more, for good. */
  lost(): void;
  /** It has caught up after frames were left out. */
  caughtUp(): void;
}

/**
 * The way to the terminal that never blocks. A write to a terminal that nobody reads (a stopped ssh client, a suspended
 * multiplexer) would otherwise hold up the whole process, signals included. When it is far behind, frames are left out: only
 * the newest counts.
 */
export class TerminalOutput {
  readonly #fd: number;
  readonly #listener: OutputListener;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #leftOut = false;
  #timer: NodeJS.Timeout | undefined;
  #drained = Promise.withResolvers<void>();

  private constructor(fd: number, listener: OutputListener) {
    this.#fd = fd;
    this.#listener = listener;
    this.#drained.resolve();
  }

  /** Undefined where stdout cannot be opened a second time; then its own `write` has to do. */
  static open(listener: OutputListener): TerminalOutput | undefined {
    if (process.platform !== "linux") return undefined;
    try {
      // An open of its own: the flag must not reach those who share our stdout, the shell among them.
      const fd = openSync("/proc/self/fd/1", constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
      return new TerminalOutput(fd, listener);
    } catch {
      // No /proc, or no right to open the terminal (su, sudo).
      return undefined;
    }
  }

  write(data: string | Uint8Array): void {
    const isFrame = typeof data === "string" && data.startsWith(FRAME_START);
    if (this.#waitingBytes > (isFrame ? FRAMES_MAX_BYTES : WAITING_MAX_BYTES)) {
      this.#leftOut ||= isFrame;
      return;
    }
    const bytes = Buffer.from(data);
    if (this.#waitingBytes === 0) this.#drained = Promise.withResolvers();
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (this.#timer === undefined) this.#flush();
  }

  /** Resolves when everything is out. */
  drained(): Promise<void> {
    return this.#drained.promise;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#forget();
    closeSync(this.#fd);
  }

  #flush(): void {
    this.#timer = undefined;
    try {
      for (let head = this.#waiting[0]; head !== undefined; head = this.#waiting[0]) this.#send(head);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "EAGAIN") {
        this.#timer = setTimeout(() => this.#flush(), RETRY_MS);
        return;
      }
      this.#forget();
      this.#listener.lost();
      return;
    }
    this.#forget();
    if (!this.#leftOut) return;
    this.#leftOut = false;
    this.#listener.caughtUp();
  }

  #send(head: Buffer): void {
    const sent = writeSync(this.#fd, head);
    this.#waitingBytes -= sent;
    if (sent === head.length) this.#waiting.shift();
    else this.#waiting[0] = head.subarray(sent);
  }

  #forget(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#drained.resolve();
  }
}
