import { FRAME_MAX_BYTES, READ_YIELD_MS } from "./limits.ts";

const LF = 0x0a;
const CR = 0x0d;
const EMPTY = new Uint8Array(0);

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

  /** Yields the lines that `chunk` completes. Throws `FrameTooLongError`; nothing may be pushed after that. */
  *push(chunk: Uint8Array): Generator<string, void, undefined> {
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
    if (start === chunk.length) return;
    // The rest is kept across an await, and a stream may reuse the buffer behind its chunk: copy.
    this.#parts.push(chunk.slice(start));
    this.#size += chunk.length - start;
  }

  /** The last line, when the stream ended without its LF; undefined when nothing is left. */
  end(): string | undefined {
    return this.#size === 0 ? undefined : this.#line(EMPTY);
  }

  #line(tail: Uint8Array): string {
    const bytes = this.#size === 0 ? tail : Buffer.concat([...this.#parts, tail], this.#size + tail.length);
    this.#reset();
    const end = bytes.length > 0 && bytes[bytes.length - 1] === CR ? bytes.length - 1 : bytes.length;
    return this.#decoder.decode(bytes.subarray(0, end));
  }

  #reset(): void {
    this.#parts = [];
    this.#size = 0;
  }
}

/**
 * The lines of a byte stream, its unfinished last one included. Lets the event loop run after every `READ_YIELD_MS`
 * of work, so that a child that floods cannot starve timers, keys and other children (bun.md §4).
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  limit = FRAME_MAX_BYTES,
): AsyncGenerator<string, void, undefined> {
  const splitter = new LineSplitter(limit);
  let busySince = performance.now();
  for await (const chunk of stream) {
    for (const line of splitter.push(chunk)) {
      yield line;
      if (performance.now() - busySince < READ_YIELD_MS) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      busySince = performance.now();
    }
  }
  const last = splitter.end();
  if (last !== undefined) yield last;
}
