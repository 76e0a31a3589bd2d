import type { Status } from "../../../host/ports.ts";
import { RowsRegion } from "../screen/rows-region.ts";
import { clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { roleOfLevel } from "./level-role.ts";

/** extension-host.md §5.5 */
const ROWS_MAX = 6;
const TRUNCATED = "  ... extension statuses truncated ...";

/** Status lines of extensions, which stay until they are cleared. */
export class StatusesRegion extends RowsRegion {
  readonly #look: Look;
  readonly #statuses: () => readonly Status[];

  constructor(look: Look, statuses: () => readonly Status[]) {
    super();
    this.#look = look;
    this.#statuses = statuses;
  }

  protected rows(width: number): readonly string[] {
    const rows = this.#statuses().map(({ extension, level, text }) => {
      const row = clampRow(`  [${safeLine(extension, "strip")}] ${safeLine(text)}`, width);
      return this.#look.paint(roleOfLevel(level), row);
    });
    return rows.length <= ROWS_MAX ? rows : [...rows.slice(0, ROWS_MAX - 1), this.overflow(0, width)];
  }

  protected override overflow(_hidden: number, width: number): string {
    return this.#look.paint("faint", clampRow(TRUNCATED, width));
  }
}
