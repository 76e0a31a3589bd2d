import { isUtf8 } from "node:buffer";
import { readSync } from "node:fs";
import { SESSION_ROW_MAX_BYTES } from "../../wire/limits.ts";

const CHUNK_BYTES = 1024 * 1024;
const LF = 0x0a;
const BOM = "\uFEFF";

export interface Line {
  /** From 1. */
  readonly number: number;
  /** Of its first byte in the file. */
  readonly offset: number;
  /** Without line end and byte order mark; undefined when the line is longer than any row may be. */
  readonly text: string | undefined;
  /** Some of its bytes were no UTF-8 and have become U+FFFD. */
  readonly isGarbled: boolean;
  /** False for a last line without LF: its writer may have died over it. */
  readonly isTerminated: boolean;
}

/**
 * The lines of an open file up to `end` (a byte offset). Only one line is held at a time. Throws what `readSync` throws.
 */
export function* linesOf(fd: number, end: number): Generator<Line> {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(end, 1)));
  let pending = new PendingLine();
  let number = 1;
  let offset = 0;
  for (let position = 0; position < end; ) {
    const length = readSync(fd, chunk, 0, Math.min(chunk.length, end - position), position);
    // The file has become shorter than it was said to be.
    if (length === 0) break;
    let from = 0;
    while (from < length) {
      const lf = chunk.subarray(0, length).indexOf(LF, from);
      pending.add(chunk.subarray(from, lf === -1 ? length : lf));
      if (lf === -1) break;
      from = lf + 1;
      yield { number, offset, ...pending.read(), isTerminated: true };
      pending = new PendingLine();
      number += 1;
      offset = position + from;
    }
    position += length;
    pending.keep();
  }
  if (pending.bytes > 0) yield { number, offset, ...pending.read(), isTerminated: false };
}

/** A line that is being put together; long ones come in many pieces. */
class PendingLine {
  bytes = 0;
  readonly #kept: Buffer[] = [];
  #fresh: Buffer | undefined;

  add(piece: Buffer): void {
    this.bytes += piece.length;
    this.#fresh = piece;
  }

  /** Copies what was added last, since its buffer is about to be filled anew. */
  keep(): void {
    if (this.bytes > SESSION_ROW_MAX_BYTES) this.#kept.length = 0;
    else if (this.#fresh !== undefined) this.#kept.push(Buffer.from(this.#fresh));
    this.#fresh = undefined;
  }

  read(): Pick<Line, "text" | "isGarbled"> {
    if (this.bytes > SESSION_ROW_MAX_BYTES) return { text: undefined, isGarbled: false };
    const pieces = this.#fresh === undefined ? this.#kept : [...this.#kept, this.#fresh];
    const [only] = pieces;
    const bytes = only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
    const text = bytes.toString("utf8");
    const unmarked = text.startsWith(BOM) ? text.slice(1) : text;
    return { text: unmarked.endsWith("\r") ? unmarked.slice(0, -1) : unmarked, isGarbled: !isUtf8(bytes) };
  }
}
