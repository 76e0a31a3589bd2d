import type { Token } from "marked";
import { headOf } from "../text/cut.ts";

/** What of one block is drawn anew with every frame while it grows. */
const TEXT_MAX_CHARS = 4 * 1024;
/** A list is cut between two of its items, where there are two. 8 kB of short ones take 5 ms, half a core while they come. */
const LIST_MAX_CHARS = 1024;
const ITEM_MAX_CHARS = 8 * 1024;
/** A table loses the common width of its columns where it is cut, and needs its head once more. */
const TABLE_MAX_CHARS = 16 * 1024;
const TABLE_HEAD_MAX_CHARS = 1024;
/** Shown as it is, and its lines would mean something else without its beginning. */
const HTML_MAX_CHARS = 16 * 1024;
/** Blanks that are looked at for one where a paragraph may be cut. */
const BLANKS_MAX = 200;

/**
 * A block of markdown in pieces that are each cheap to draw; one, unless it is very long. What all but the last show is
 * final, the last may still grow.
 */
export function answerPieces({ type, raw }: Token): readonly string[] {
  if (type === "list") return pieces(raw, endOfItems);
  if (type === "table") return pieces(raw, endOfTableRows, tableHead(raw));
  return pieces(raw, (text) => endOfText(text, type === "html" ? HTML_MAX_CHARS : TEXT_MAX_CHARS));
}

/** @param end where the first piece of a text ends; 0 when it is one piece @param head goes before every further piece */
function pieces(text: string, end: (text: string) => number, head = ""): string[] {
  const found: string[] = [];
  let rest = text;
  for (let at = end(rest); at > 0; at = end(rest)) {
    found.push(rest.slice(0, at));
    rest = head + rest.slice(at);
  }
  return [...found, rest];
}

function endOfText(text: string, max: number): number {
  if (text.length <= max) return 0;
  const lineEnd = text.lastIndexOf("\n", max - 1) + 1;
  return lineEnd > 0 ? lineEnd : endOfWords(text);
}

/** Behind a blank before a letter: anything else could mean something at the start of a line. */
function endOfWords(text: string): number {
  let blank = text.lastIndexOf(" ", TEXT_MAX_CHARS - 1);
  for (let tries = 0; tries < BLANKS_MAX && blank > 0; tries += 1) {
    if (/^\p{L}/u.test(text.slice(blank + 1, blank + 3))) return blank + 1;
    blank = text.lastIndexOf(" ", blank - 1);
  }
  return headOf(text, TEXT_MAX_CHARS).length;
}

function endOfItems(text: string): number {
  if (text.length <= LIST_MAX_CHARS) return 0;
  const indent = /^ */.exec(text)?.[0].length ?? 0;
  const starts = [...text.matchAll(new RegExp(`^ {${indent}}(?:[-+*]|\\d{1,9}[.)])(?=[ \\t\\n])`, "gm"))];
  const further = starts.map(({ index }) => index).filter((index) => index > 0);
  const last = further.findLast((index) => index <= LIST_MAX_CHARS) ?? further[0];
  if (last !== undefined) return last;
  return text.length <= 2 * ITEM_MAX_CHARS ? 0 : endOfText(text, ITEM_MAX_CHARS);
}

function tableHead(text: string): string {
  const head = text.split("\n", 2).join("\n");
  return head.length <= TABLE_HEAD_MAX_CHARS && head.length < text.length ? `${head}\n` : "";
}

function endOfTableRows(text: string): number {
  if (text.length <= TABLE_MAX_CHARS) return 0;
  const rowEnd = text.lastIndexOf("\n", TABLE_MAX_CHARS - 1) + 1;
  // Behind the head, or it would go round in circles.
  return rowEnd > 2 * TABLE_HEAD_MAX_CHARS ? rowEnd : headOf(text, TABLE_MAX_CHARS).length;
}
