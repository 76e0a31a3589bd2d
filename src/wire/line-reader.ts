import { LineSplitter } from "./framing.ts";
import { FRAME_MAX_BYTES, READ_YIELD_MS } from "./limits.ts";

/**
 * The lines of a byte stream, its unfinished last one included; one at a time, or all that come. Lets the event loop
 * run after every `READ_YIELD_MS` of work, so that a child that floods cannot starve timers, keys and other children
 * (bun.md §4). Reading throws what the stream throws, and `FrameTooLongError`; the stream is let go of then.
 */
export class LineReader implements AsyncIterable<string> {
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #splitter: LineSplitter;
  #lines: IteratorObject<string, unknown> = Iterator.from([]);
  #ended = false;
  #busySince = performance.now();

  constructor(stream: AsyncIterable<Uint8Array>, limit = FRAME_MAX_BYTES) {
    this.#chunks = stream[Symbol.asyncIterator]();
    this.#splitter = new LineSplitter(limit);
  }

  /** The next line; undefined at the end. */
  async next(): Promise<string | undefined> {
    try {
      for (;;) {
        const { done, value } = this.#lines.next();
        if (done !== true) {
          if (this.#isTired) await this.#rest();
          return value;
        }
        if (!(await this.#refill())) return undefined;
      }
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** Hands every line that is left to `take`, without a wait between lines that came together. */
  async forEach(take: (line: string) => void): Promise<void> {
    try {
      do {
        for (const line of this.#lines) {
          take(line);
          if (this.#isTired) await this.#rest();
        }
      } while (await this.#refill());
    } finally {
      await this.close();
    }
  }

  /** Lets go of the stream. A read that waits for it must have ended, or end by itself. */
  async close(): Promise<void> {
    this.#ended = true;
    this.#lines = Iterator.from([]);
    await this.#chunks.return?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    try {
      for (let line = await this.next(); line !== undefined; line = await this.next()) yield line;
    } finally {
      await this.close();
    }
  }

  get #isTired(): boolean {
    return performance.now() - this.#busySince >= READ_YIELD_MS;
  }

  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#busySince = performance.now();
  }

  /** False when there is nothing more to cut. */
  async #refill(): Promise<boolean> {
    if (this.#ended) return false;
    const { done, value } = await this.#chunks.next();
    if (done !== true) {
      this.#lines = Iterator.from(this.#splitter.push(value));
      return true;
    }
    this.#ended = true;
    const last = this.#splitter.end();
    this.#lines = Iterator.from(last === undefined ? [] : [last]);
    return true;
  }
}
