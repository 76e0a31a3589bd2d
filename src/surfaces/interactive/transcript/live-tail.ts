import { tailOf, withoutHalf } from "../text/cut.ts";

/**
 * The end of a text that still grows: enough of it for so many rows, so that a frame costs the same however long the text is. It
 * starts at the same place for many frames, or words would move from row to row with every delta.
 */
export function liveTail(text: string, width: number, rows: number): string {
  const needed = rows * Math.max(1, width) * 2;
  const start = Math.floor(Math.max(0, text.length - needed) / needed) * needed;
  return withoutHalf(tailOf(text, text.length - start));
}
