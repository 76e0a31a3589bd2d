import { fitRow } from "../text/cells.ts";
import type { Wish } from "./allot.ts";
import type { Region } from "./region.ts";

/** A region that is nothing but rows of text, drawn anew for every frame. */
export abstract class RowsRegion implements Region {
  /** Rows that it has got. */
  protected height = 0;

  /** All it has to show, each row at most `width` cells. */
  protected abstract rows(width: number, height: number): readonly string[];

  /** What stands in for the rows that do not fit; "" when the last ones are simply left out. */
  protected overflow(_hidden: number, _width: number): string {
    return "";
  }

  /** Rows below which it is no use. */
  protected get least(): number {
    return 0;
  }

  wish(width: number, height: number): Wish {
    return { min: this.least, want: this.rows(width, height).length };
  }

  fit(rows: number): void {
    this.height = rows;
  }

  render(width: number): readonly string[] {
    const rows = this.rows(width, this.height).map((row) => fitRow(row, width));
    if (rows.length <= this.height) return rows;
    const overflow = this.overflow(rows.length - this.height + 1, width);
    if (overflow === "") return rows.slice(0, this.height);
    return [...rows.slice(0, Math.max(0, this.height - 1)), overflow];
  }

  invalidate(): void {
    return;
  }
}
