import { FRAME_MAX_BYTES } from "./limits.ts";

const LF = 0x0a;
const CR = 0x0d;

/** A line passed the limit before its LF came. The connection it came from cannot be trusted to be in step again. */
export class FrameTooLongError extends Error {
  readonly limit: number;
  constructor(limit: number) {
    super(`frame exceeds the limit of ${limit} bytes`);
    this.name = "FrameTooLongError";
    this.limit = limit;
  }
}

/**
 * Cuts a byte stream into lines (extension-host.md §2.1). Only 0x0A ends a line, one CR before it is dropped, and
 * bytes are decoded only once a line is whole, so no chunking can split a character. Invalid UTF-8 becomes U+FFFD.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #parts: Uint8Array[] = [];
  #size = 0;

  /** @param limit the longest line in bytes, its LF included */
  constructor(limit = FRAME_MAX_BYTES) {
    this.#limit = limit;
  }

  /**
   * The lines that `chunk` completes; take them all before the next chunk. Taking them throws `FrameTooLongError` where
   * a line is too long; nothing may be pushed after that.
   */
  push(chunk: Uint8Array): Iterable<string> {
    return this.#size + chunk.length <= this.#limit ? this.#cutShort(chunk) : this.#cutChecked(chunk);
  }

  /** The last line, when the stream ended without its LF; undefined when nothing is left. */
  end(): string | undefined {
    return this.#size === 0 ? undefined : this.#line(EMPTY);
  }

  /** No line of it can be too long. A call for each line costs more than its bytes: those in between are decoded as one. */
  #cutShort(chunk: Uint8Array): string[] {
    const first = chunk.indexOf(LF);
    const last = first === -1 ? -1 : chunk.lastIndexOf(LF);
    const lines = first === -1 ? [] : [this.#line(chunk.subarray(0, first))];
    if (last > first) {
      for (const line of this.#decoder.decode(chunk.subarray(first + 1, last)).split("\n")) lines.push(withoutCr(line));
    }
    this.#keep(chunk, last + 1);
    return lines;
  }

  *#cutChecked(chunk: Uint8Array): Generator<string, void, undefined> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LF, start);
      const length = (end === -1 ? chunk.length : end + 1) - start;
      if (this.#size + length > this.#limit) {
        this.#reset();
        throw new FrameTooLongError(this.#limit);
      }
      if (end === -1) break;
      yield this.#line(chunk.subarray(start, end));
      start = end + 1;
    }
    this.#keep(chunk, start);
  }

  /** The rest is kept across an await, and a stream may reuse the buffer behind its chunk: copy. */
  #keep(chunk: Uint8Array, start: number): void {
    if (start === chunk.length) return;
    this.#parts.push(chunk.slice(start));
    this.#size += chunk.length - start;
  }

  #line(tail: Uint8Array): string {
    const bytes = this.#size === 0 ? tail : Buffer.concat([...this.#parts, tail], this.#size + tail.length);
    this.#reset();
    return withoutCr(this.#decoder.decode(bytes));
  }

  #reset(): void {
    this.#parts = [];
    this.#size = 0;
  }
}

const EMPTY = new Uint8Array(0);

function withoutCr(line: string): string {
  return line.charCodeAt(line.length - 1) === CR ? line.slice(0, -1) : line;
}
