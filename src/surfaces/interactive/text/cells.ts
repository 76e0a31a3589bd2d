import { sliceByColumn, truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import { asciiRows } from "./ascii-rows.ts";
import { safeText, withoutLonelyMarks } from "./safe-text.ts";

/** Takes back every colour and closes an open link: whoever draws after a stranger's text starts clean. */
const RESET = "\u001b[0m\u001b]8;;\u0007";
/** Characters that one cell may take: colours, joiners, marks. */
const SLACK = 32;
const ASCII = /^[\u0020-\u007e]*$/;

/** Width in terminal cells. Inside this surface the terminal library's count is the only truth. */
export const cellWidth = visibleWidth;

/** One row of at most `width` cells; what does not fit ends in an ellipsis. `text` is safe text without line feeds. */
export function clampRow(text: string, width: number): string {
  if (width <= 0) return "";
  if (visibleWidth(text) <= width) return closed(text);
  return closed(cut(truncateToWidth(text, width, "…"), width));
}

/** Cuts what is too wide, without a sign of it: the last look at a row before it is drawn. */
export function fitRow(row: string, width: number): string {
  return visibleWidth(row) <= width ? row : closed(sliceByColumn(row, 0, Math.max(0, width), true));
}

/** `clampRow`, filled up with blanks to exactly `width` cells. */
export function fillRow(text: string, width: number): string {
  const row = clampRow(text, width);
  return row + " ".repeat(Math.max(0, width - visibleWidth(row)));
}

/**
 * Safe text as rows of at most `width` cells, at most `maxRows` of them; words are kept whole where they fit.
 * Text that is far too long for that is cut before it is wrapped, so a huge text costs no more than a full one.
 */
export function wrapRows(text: string, width: number, maxRows = Number.POSITIVE_INFINITY): string[] {
  const cells = Math.max(1, width);
  const rows: string[] = [];
  for (const line of text.split("\n")) {
    if (rows.length >= maxRows) break;
    for (const row of lineRows(line, cells, maxRows - rows.length)) rows.push(row);
  }
  return rows;
}

function lineRows(line: string, cells: number, maxRows: number): string[] {
  const head = washedHead(line, (maxRows + 1) * cells * SLACK);
  if (ASCII.test(head)) return asciiRows(head, cells).slice(0, maxRows);
  const rows = wrapTextWithAnsi(head, cells).slice(0, maxRows);
  // The wrapper has corner cases (a combining musical symbol) where a row comes out too wide.
  return rows.map((row) => closed(cut(withoutLonelyMarks(row), cells)));
}

function washedHead(line: string, chars: number): string {
  // The cut may fall into a sequence or a surrogate pair; what is left of it must not reach the screen.
  return line.length <= chars ? line : safeText(line.slice(0, chars));
}

function cut(row: string, width: number): string {
  return visibleWidth(row) <= width ? row : sliceByColumn(row, 0, width, true);
}

function closed(row: string): string {
  return row.includes("\u001b") ? row + RESET : row;
}
