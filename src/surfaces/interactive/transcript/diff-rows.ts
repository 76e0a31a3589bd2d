import { clampRow, wrapRows } from "../text/cells.ts";
import type { Look } from "../theme/look.ts";

/** A diff as rows ` `, `-` and `+` (extension-host.md §8.1), coloured. `text` is safe text without styles. */
export function diffRows(text: string, look: Look, width: number, maxRows: number): string[] {
  const rows: string[] = [];
  for (const line of text.split("\n")) {
    if (rows.length >= maxRows) break;
    const [first] = wrapRows(line, width, 1);
    const row = clampRow(first ?? "", width);
    if (line.startsWith("+")) rows.push(look.paint("added", row));
    else if (line.startsWith("-")) rows.push(look.paint("removed", row));
    else rows.push(look.paint("toolOutput", row));
  }
  return rows;
}
