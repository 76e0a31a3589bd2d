import { clampRow } from "../text/cells.ts";
import type { Look } from "../theme/look.ts";

/** The first rows, and a line that says how many more there are. */
export function foldTail(rows: readonly string[], max: number, look: Look, width: number): string[] {
  if (rows.length <= max + 1) return [...rows];
  return [...rows.slice(0, max), moreLine(rows.length - max, look, width)];
}

/** The last rows, below a line that says how many came before them. */
export function foldHead(rows: readonly string[], max: number, look: Look, width: number): string[] {
  if (rows.length <= max + 1) return [...rows];
  return [moreLine(rows.length - max, look, width), ...rows.slice(-max)];
}

function moreLine(count: number, look: Look, width: number): string {
  return look.paint("faint", clampRow(`… ${count} more rows (ctrl+o)`, width));
}
