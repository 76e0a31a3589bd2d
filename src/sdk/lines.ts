import { INBOUND_FRAME_MAX_BYTES, READ_YIELD_MS } from "./limits.ts";

const LF = 0x0a;
const CR = 0x0d;

/**
 * Cuts a byte stream into lines (extension-host.md §2.1). Only 0x0A ends a line: U+2028 and its kin are text. Bytes
 * are decoded once a line is whole, so no chunk border can split a character.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #onTooLong: (bytes: number) => void;
  #parts: Uint8Array[] = [];
  #size = 0;

  /** @param onTooLong told once for each line over the limit; the line itself is skipped, its bytes are not kept */
  constructor(onTooLong: (bytes: number) => void) {
    this.#onTooLong = onTooLong;
  }

  /** The lines that `chunk` completes. */
  *push(chunk: Uint8Array): Generator<string, void, undefined> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(LF, start);
      if (end === -1) {
        // Kept across an await, and a stream may reuse the buffer behind its chunk: copy.
        this.#keep(chunk.slice(start));
        return;
      }
      this.#keep(chunk.subarray(start, end));
      const line = this.take();
      if (line !== undefined) yield line;
      start = end + 1;
    }
  }

  /** What has come since the last LF; undefined when that is nothing, or more than the limit. */
  take(): string | undefined {
    const bytes = this.#size > INBOUND_FRAME_MAX_BYTES ? undefined : this.#joined();
    if (bytes === undefined) this.#onTooLong(this.#size);
    this.#parts = [];
    this.#size = 0;
    if (bytes === undefined || bytes.length === 0) return undefined;
    return this.#decoder.decode(bytes.at(-1) === CR ? bytes.subarray(0, -1) : bytes);
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > INBOUND_FRAME_MAX_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #joined(): Uint8Array {
    const [first] = this.#parts;
    if (first !== undefined && this.#parts.length === 1) return first;
    const whole = new Uint8Array(this.#size);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}

/**
 * The lines of a byte stream, its unfinished last one included. Lets timers and other work run after every
 * `READ_YIELD_MS`, since chunks that are there already would otherwise follow one another without a pause.
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  onTooLong: (bytes: number) => void,
): AsyncGenerator<string, void, undefined> {
  const splitter = new LineSplitter(onTooLong);
  let busySince = performance.now();
  for await (const chunk of chunks) {
    for (const line of splitter.push(chunk)) {
      yield line;
      if (performance.now() - busySince < READ_YIELD_MS) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      busySince = performance.now();
    }
  }
  const rest = splitter.take();
  if (rest !== undefined) yield rest;
}
