import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/** How a frame of the terminal library begins (synchronized output). */
const FRAME_START = "\u001b[?2026h";
const RETRY_MS = 4;
/** A terminal that is this far behind is not being read; one that only reads in pieces never is. */
const FRAMES_MAX_BYTES = 128 * 1024;
/** What is no frame has room of its own: the longest text that is copied, as base64, and modes that are switched. */
const OTHERS_MAX_BYTES = 2 * 1024 * 1024;

export interface OutputListener {
  /** The terminal takes nothing any more, for good. */
  lost(): void;
  /** It has caught up after frames were left out. */
  caughtUp(): void;
}

interface Chunk {
  readonly isFrame: boolean;
  /** Not sent yet. */
  rest: Buffer;
  /** Whether a part of it is out: then the terminal waits for the other. */
  hasBegun: boolean;
}

/**
 * The way to the terminal that never blocks. A write to a terminal that nobody reads (a stopped ssh client, a suspended
 * multiplexer) would otherwise hold up the whole process, signals included. When it is far behind, frames are left out: only
 * the newest counts. Holds on Linux, and on macOS but for the change into raw mode and out of it, which waits for the terminal. On
 * Windows there is no such way, and a console in which something is being selected holds us up.
 */
export class TerminalOutput {
  readonly #fd: number;
  readonly #listener: OutputListener;
  #waiting: Chunk[] = [];
  #frameBytes = 0;
  #otherBytes = 0;
  #leftOut = false;
  #isLast = false;
  #timer: NodeJS.Timeout | undefined;
  #drained: PromiseWithResolvers<void> | undefined;

  private constructor(fd: number, listener: OutputListener) {
    this.#fd = fd;
    this.#listener = listener;
  }

  /** Undefined where stdout cannot be opened a second time; then its own `write` has to do. */
  static open(listener: OutputListener): TerminalOutput | undefined {
    try {
      const { rdev } = fstatSync(1);
      const path = terminalPath(process.platform, rdev);
      if (path === undefined) return undefined;
      // An open of its own: the flag must not reach those who share our stdout, the shell among them.
      const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
      if (fstatSync(fd).rdev === rdev) return new TerminalOutput(fd, listener);
      closeSync(fd);
      return undefined;
    } catch {
      // No /proc, or no right to open the terminal (su, sudo).
      return undefined;
    }
  }

  write(data: string | Uint8Array): void {
    const isFrame = !this.#isLast && typeof data === "string" && data.startsWith(FRAME_START);
    if (isFrame && this.#frameBytes + this.#otherBytes > FRAMES_MAX_BYTES) {
      this.#leftOut = true;
      return;
    }
    const rest = Buffer.from(data);
    if (!isFrame && !this.#isLast && this.#otherBytes + rest.length > OTHERS_MAX_BYTES) return;
    this.#drained ??= Promise.withResolvers();
    this.#waiting.push({ isFrame, rest, hasBegun: false });
    this.#count(isFrame, rest.length);
    if (this.#timer === undefined) this.#flush();
  }

  /**
   * Runs `leave`, which writes the few sequences that give the terminal back: all of them are taken, and no frame goes before
   * them but one that is half out.
   */
  last(leave: () => void): void {
    this.#waiting = this.#waiting.filter(({ isFrame, hasBegun }) => !isFrame || hasBegun);
    this.#frameBytes = this.#waiting.reduce((sum, { isFrame, rest }) => (isFrame ? sum + rest.length : sum), 0);
    this.#isLast = true;
    try {
      leave();
    } finally {
      this.#isLast = false;
    }
  }

  /** Resolves when everything is out. */
  drained(): Promise<void> {
    return this.#drained?.promise ?? Promise.resolve();
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

  #send(head: Chunk): void {
    const sent = writeSync(this.#fd, head.rest);
    this.#count(head.isFrame, -sent);
    if (sent === head.rest.length) {
      this.#waiting.shift();
      return;
    }
    head.rest = head.rest.subarray(sent);
    head.hasBegun ||= sent > 0;
  }

  #count(isFrame: boolean, bytes: number): void {
    if (isFrame) this.#frameBytes += bytes;
    else this.#otherBytes += bytes;
  }

  #forget(): void {
    this.#waiting = [];
    this.#frameBytes = 0;
    this.#otherBytes = 0;
    this.#drained?.resolve();
    this.#drained = undefined;
  }
}

/**
 * Where the terminal behind stdout can be opened anew; undefined where that has no name.
 *
 * @param device its device number, against which the opened one is to be checked
 */
export function terminalPath(platform: NodeJS.Platform, device: number): string | undefined {
  if (platform === "linux") return "/proc/self/fd/1";
  // /dev/fd/1 is no new open there, and /dev/tty may be another terminal, which its own device number does not tell. But the
  // name of a terminal is its minor number (`ttys%03d`).
  if (platform === "darwin") return `/dev/ttys${String(device & 0xff_ffff).padStart(3, "0")}`;
  return undefined;
}
