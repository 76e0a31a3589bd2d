import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { clampRow, wrapRows } from "../text/cells.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";

/** Rows that a dialog shows in as little room as there is: whatever does not fit is counted and can be paged to. */
export class PagedRows {
  readonly #look: Look;
  readonly #make: (width: number) => readonly string[];
  #made: { readonly width: number; readonly rows: readonly string[] } | undefined;
  #top = 0;
  /** The last row that may be on top, and how many are shown, when it was last drawn. */
  #last = 0;
  #page = 1;

  /** @param make all rows, each of at most `width` cells; called once for a width */
  constructor(look: Look, make: (width: number) => readonly string[]) {
    this.#look = look;
    this.#make = make;
  }

  /** How many rows there are. */
  count(width: number): number {
    return this.#rows(width).length;
  }

  /** At most `room` rows; when there are more, the last of them says how many are above and below. */
  show(width: number, room: number): readonly string[] {
    const rows = this.#rows(width);
    if (room <= 0 || rows.length <= room) {
      this.#last = 0;
      return rows.slice(0, Math.max(0, room));
    }
    this.#page = Math.max(1, room - 1);
    this.#last = rows.length - (room - 1);
    const top = Math.min(this.#top, this.#last);
    const shown = rows.slice(top, top + room - 1);
    return [...shown, this.#sign(top, rows.length - top - shown.length, width)];
  }

  /** True when the key turned the pages. */
  handleInput(data: string): boolean {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.pageUp")) this.#turn(-1);
    else if (keys.matches(data, "tui.select.pageDown")) this.#turn(1);
    else return false;
    return true;
  }

  toStart(): void {
    this.#top = 0;
  }

  toEnd(): void {
    this.#top = this.#last;
  }

  /** Colours have changed. */
  invalidate(): void {
    this.#made = undefined;
  }

  #rows(width: number): readonly string[] {
    if (this.#made?.width !== width) this.#made = { width, rows: this.#make(width) };
    return this.#made.rows;
  }

  #turn(by: number): void {
    this.#top = Math.max(0, Math.min(Math.min(this.#top, this.#last) + by * this.#page, this.#last));
  }

  #sign(above: number, below: number, width: number): string {
    if (below === 0) return this.#look.paint("faint", clampRow(` … ${above} more above · pgup`, width));
    const rest = above === 0 ? "pgdn" : `${above} above · pgup pgdn`;
    return this.#look.paint("warn", clampRow(` … ${below} more below · ${rest}`, width));
  }
}

/** Words to be read. `text` may be anybody's. */
export function messageRows(look: Look, text: string): PagedRows {
  const safe = safeText(text, "strip");
  return new PagedRows(look, (width) => wrapRows(safe, width - 2).map((row) => ` ${row}`));
}
