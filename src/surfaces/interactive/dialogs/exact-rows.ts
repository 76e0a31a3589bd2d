import { getGraphemeSegmenter } from "@earendil-works/pi-tui/dist/utils.js";
import { cellWidth } from "../text/cells.ts";

/** Stands before what goes on from the row above. */
const GOES_ON = "↳ ";
/** The sign, and one character as wide as any. */
const LEAST_CELLS = 4;
const ASCII = /^[\u0020-\u007e]*$/;

/**
 * One line as rows of at most `width` cells (4 at least), with every character of it: it is parted behind a blank where there is one,
 * and none is dropped. A row that goes on starts with a sign, so that it cannot pass for a line of its own. `line` is safe text
 * without styles.
 */
export function exactRows(line: string, width: number): string[] {
  const cells = Math.max(LEAST_CELLS, width);
  return ASCII.test(line) ? rowsOfAscii(line, cells) : rowsOf(line, cells);
}

function rowsOfAscii(line: string, cells: number): string[] {
  const rows: string[] = [];
  let sign = "";
  let at = 0;
  while (line.length - at > cells - sign.length) {
    const full = line.slice(at, at + cells - sign.length);
    const row = full.slice(0, parting(full));
    rows.push(sign + row);
    at += row.length;
    sign = GOES_ON;
  }
  return [...rows, sign + line.slice(at)];
}

function rowsOf(line: string, cells: number): string[] {
  const rows: string[] = [];
  let sign = "";
  let row = "";
  let used = 0;
  for (const piece of pieces(line, cells - GOES_ON.length)) {
    const size = cellWidth(piece);
    // Twice when what is left of a row that was parted does not fit behind the sign together with this.
    while (used + size > cells) {
      const at = parting(row);
      rows.push(sign + row.slice(0, at));
      row = row.slice(at);
      sign = GOES_ON;
      used = cellWidth(sign + row);
    }
    row += piece;
    used += size;
  }
  return [...rows, sign + row];
}

/** Where a row that is full is parted: behind its last blank, when that does not leave half of it empty. */
function parting(row: string): number {
  const blank = row.lastIndexOf(" ");
  return blank * 2 < row.length ? row.length : blank + 1;
}

/** Characters as they are drawn; one that is wider than a whole row (letters that are tied together) is taken apart. */
function* pieces(line: string, most: number): Iterable<string> {
  for (const { segment } of getGraphemeSegmenter().segment(line)) {
    if (cellWidth(segment) <= most) yield segment;
    else yield* segment;
  }
}
