import { clipUtf8, clipUtf8Start } from "../utf8.ts";

/** Bounds in UTF-8 bytes and lines; a text within the sums is kept whole. */
export interface WindowLimits {
  readonly headBytes: number;
  readonly headLines: number;
  readonly tailBytes: number;
  readonly tailLines: number;
}

export type WindowView =
  | { readonly kind: "whole"; readonly text: string }
  | {
      readonly kind: "cut";
      readonly head: string;
      readonly tail: string;
      readonly omittedLines: number;
      readonly omittedBytes: number;
    };

/**
 * The beginning and the end of a text of any length, in memory bounded by the limits. A cut falls between two lines
 * unless a line is too long for that, and never within a character. A line is what ends in LF.
 */
export class OutputWindow {
  readonly #limits: WindowLimits;
  readonly #maxBytes: number;
  readonly #maxLines: number;
  #head = "";
  #headLines = 0;
  #headBytes = 0;
  #headFull = false;
  #rest = "";
  #bytes = 0;
  #lines = 0;

  constructor(limits: WindowLimits) {
    this.#limits = limits;
    this.#maxBytes = limits.headBytes + limits.tailBytes;
    this.#maxLines = limits.headLines + limits.tailLines;
  }

  /** True from the moment when the text no longer fits as a whole. */
  get overflows(): boolean {
    return this.#bytes > this.#maxBytes || this.#lines > this.#maxLines;
  }

  push(text: string): void {
    this.#bytes += Buffer.byteLength(text, "utf8");
    this.#lines += countLines(text);
    let rest = text;
    if (!this.#headFull) rest = this.#fillHead(text);
    this.#rest += rest;
    // A UTF-16 unit takes at least one byte, so this keeps more than any view can show; cutting seldom keeps it cheap.
    if (this.#rest.length > 2 * this.#maxBytes) this.#rest = this.#rest.slice(-this.#maxBytes);
  }

  view(): WindowView {
    if (!this.overflows) return { kind: "whole", text: this.#head + this.#rest };
    const head = endAtLine(this.#head, this.#limits.headBytes);
    const tail = startAtLine(
      clipUtf8Start(lastLines(this.#rest, this.#limits.tailLines), this.#limits.tailBytes),
      this.#rest,
      this.#limits.tailBytes,
    );
    const shown = head + tail;
    return {
      kind: "cut",
      head,
      tail,
      omittedLines: this.#lines - countLines(shown),
      omittedBytes: this.#bytes - Buffer.byteLength(shown, "utf8"),
    };
  }

  /** Returns what did not fit. */
  #fillHead(text: string): string {
    const lines = firstLines(text, this.#limits.headLines - this.#headLines);
    const taken = clipUtf8(lines, this.#limits.headBytes - this.#headBytes);
    this.#head += taken;
    this.#headLines += countLines(taken);
    this.#headBytes += Buffer.byteLength(taken, "utf8");
    this.#headFull = taken.length < text.length;
    return text.slice(taken.length);
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function firstLines(text: string, lines: number): string {
  let end = 0;
  for (let line = 0; line < lines; line++) {
    const newline = text.indexOf("\n", end);
    if (newline === -1) return text;
    end = newline + 1;
  }
  return text.slice(0, end);
}

function lastLines(text: string, lines: number): string {
  let start = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let line = 0; line < lines; line++) {
    const newline = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
    if (newline === -1) return text;
    start = newline;
  }
  return text.slice(start + 1);
}

/** Drops a broken last line, if it is not the greater part of what is shown. */
function endAtLine(head: string, limit: number): string {
  const end = head.lastIndexOf("\n") + 1;
  return end > 0 && head.length - end <= limit / 2 ? head.slice(0, end) : head;
}

/** Drops a broken first line, if it is not the greater part of what is shown. */
function startAtLine(tail: string, whole: string, limit: number): string {
  const before = whole[whole.length - tail.length - 1];
  if (before === undefined || before === "\n") return tail;
  const start = tail.indexOf("\n") + 1;
  return start > 0 && start <= limit / 2 ? tail.slice(start) : tail;
}
