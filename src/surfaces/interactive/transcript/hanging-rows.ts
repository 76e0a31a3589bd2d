import { cellWidth, wrapRows } from "../text/cells.ts";

/** A row that is set in, and the column behind its label if it has one: `  file      /some/path`. */
const SET_IN = /^( +)(?:\S+(?: \S+)* {2,})?(?=\S)/;
/** Where more than this of a row would stay empty, the rest of a line is set in a little only. */
const HANGING_MAX_SHARE = 0.5;
const LITTLE = 2;
/** Cells below which there is no place for any of it. */
const NARROW = 8;

/** `wrapRows` for texts of our own: what does not fit goes on below the place where the text of its line began. */
export function hangingRows(text: string, width: number, maxRows: number): string[] {
  const rows: string[] = [];
  for (const line of text.split("\n")) {
    if (rows.length >= maxRows) break;
    rows.push(...lineRows(line, width, maxRows - rows.length));
  }
  return rows;
}

function lineRows(line: string, width: number, maxRows: number): string[] {
  const [label = "", indent = ""] = SET_IN.exec(line) ?? [];
  const column = cellWidth(label);
  if (column === 0 || width < NARROW || cellWidth(line) <= width) return wrapRows(line, width, maxRows);
  const max = width * HANGING_MAX_SHARE;
  if (column <= max) return hung(line, label.length, column, width, maxRows);
  const little = Math.min(indent.length + LITTLE, Math.floor(max));
  return hung(line, Math.min(indent.length, little), little, width, maxRows);
}

/** @param start where the text begins @param column where it goes on, in cells */
function hung(line: string, start: number, column: number, width: number, maxRows: number): string[] {
  const rows = wrapRows(line.slice(start), width - column, maxRows);
  return rows.map((row, index) => (index === 0 ? line.slice(0, start) : " ".repeat(column)) + row);
}
