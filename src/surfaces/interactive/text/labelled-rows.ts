import { cellWidth, clampRow, wrapRows } from "./cells.ts";
import { safeLine, safeText } from "./safe-text.ts";

/**
 * What an extension says, as at most `maxRows` rows of about `width` cells (whoever draws them cuts them). Every row has its
 * owner in front, those of one wrapped line too, so that no words of a stranger can pass for our own.
 */
export function labelledRows(extension: string, text: string, width: number, maxRows: number): string[] {
  const label = `${clampRow(`[${safeLine(extension, "strip")}]`, Math.floor(width / 2))} `;
  const rows = wrapRows(safeText(text).trimEnd(), width - cellWidth(label), maxRows);
  return rows.map((row) => label + row);
}
