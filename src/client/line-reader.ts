import { ZotError } from "./error.ts";
import { FRAME_MAX_BYTES } from "./limits.ts";

const LF = 0x0a;

/** Cuts bytes into lines at LF alone, and decodes a line when it is whole. */
export class LineReader {
  #parts: Buffer[] = [];
  #size = 0;

  /** The lines that `chunk` completes. Throws `ZotError` for a line without end. */
  *push(chunk: Buffer): Generator<string, void, undefined> {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      this.#keep(chunk.subarray(start, end));
      yield Buffer.concat(this.#parts, this.#size).toString("utf8");
      this.#parts = [];
      this.#size = 0;
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > FRAME_MAX_BYTES) throw new ZotError("protocol", "a line is longer than any frame");
    this.#parts.push(part);
  }
}
