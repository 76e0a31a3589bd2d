import type { Widget } from "../../../host/ports.ts";
import { RowsRegion } from "../screen/rows-region.ts";
import { clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";

/** extension-host.md §5.5 */
const ROWS_MAX = 12;
const TRUNCATED = "  ... extension widgets truncated ...";

/** Blocks of extensions above the input. */
export class WidgetsRegion extends RowsRegion {
  readonly #look: Look;
  readonly #widgets: () => readonly Widget[];

  constructor(look: Look, widgets: () => readonly Widget[]) {
    super();
    this.#look = look;
    this.#widgets = widgets;
  }

  protected rows(width: number): readonly string[] {
    const rows: string[] = [];
    for (const widget of this.#widgets()) {
      rows.push(...this.#widgetRows(widget, width));
      if (rows.length > ROWS_MAX) return [...rows.slice(0, ROWS_MAX - 1), this.overflow(0, width)];
    }
    return rows;
  }

  protected override overflow(_hidden: number, width: number): string {
    return this.#look.paint("faint", clampRow(TRUNCATED, width));
  }

  #widgetRows({ extension, title, lines }: Widget, width: number): string[] {
    const head = `  [${safeLine(extension, "strip")}] ${safeLine(title)}`.trimEnd();
    return [
      this.#look.paint("accent", clampRow(head, width)),
      ...lines.slice(0, ROWS_MAX).map((line) => clampRow(`  ${safeLine(line)}`, width)),
    ];
  }
}
