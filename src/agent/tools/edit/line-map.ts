/**
 * A text with its line endings set aside: `text` has LF only, and every offset in it leads back to the original.
 * Works on byte strings (one character per byte), so that bytes which are no valid UTF-8 survive an edit untouched.
 */
export class LineMap {
  readonly original: string;
  readonly text: string;
  /** Offsets in `text` of the newlines that are CRLF in the original, ascending. */
  readonly #crlf: readonly number[];

  constructor(original: string) {
    this.original = original;
    this.text = original.replaceAll("\r\n", "\n");
    const crlf: number[] = [];
    for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2))
      crlf.push(at - crlf.length);
    this.#crlf = crlf;
  }

  /** The offset in the original of an offset in `text`; a newline's is that of its CR, if it has one. */
  origin(offset: number): number {
    return offset + this.#crlfBefore(offset);
  }

  /** How the newline at this offset of `text` is written in the original. */
  endingAt(newline: number): "\r\n" | "\n" {
    return this.#crlf[this.#crlfBefore(newline)] === newline ? "\r\n" : "\n";
  }

  /** The ending that new lines between these offsets of `text` should take from their neighbourhood. */
  endingNear(start: number, end: number): "\r\n" | "\n" {
    const next = this.text.indexOf("\n", end);
    if (next !== -1) return this.endingAt(next);
    const previous = start === 0 ? -1 : this.text.lastIndexOf("\n", start - 1);
    return previous === -1 ? "\n" : this.endingAt(previous);
  }

  #crlfBefore(offset: number): number {
    let low = 0;
    let high = this.#crlf.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#crlf[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
