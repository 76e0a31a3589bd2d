import type { Note } from "../../../host/ports.ts";
import { RowsRegion } from "../screen/rows-region.ts";
import { clampRow, fitRow } from "../text/cells.ts";
import { labelledRows } from "../text/labelled-rows.ts";
import type { Look } from "../theme/look.ts";
import { roleOfLevel } from "./level-role.ts";

/** Rows of one note, and of all together; the newest are the ones that count. */
const NOTE_ROWS = 20;
const ROWS_MAX = 100;

/** One-shot lines of extensions below the transcript (extension-host.md §5.4), each with its owner in front. */
export class NotesRegion extends RowsRegion {
  readonly #look: Look;
  readonly #notes: () => readonly Note[];

  constructor(look: Look, notes: () => readonly Note[]) {
    super();
    this.#look = look;
    this.#notes = notes;
  }

  override render(width: number): readonly string[] {
    const rows = this.rows(width).map((row) => fitRow(row, width));
    return rows.length <= this.height ? rows : rows.slice(rows.length - this.height);
  }

  protected rows(width: number): readonly string[] {
    const rows: string[] = [];
    for (const note of this.#notes().toReversed()) {
      rows.unshift(...this.#noteRows(note, width));
      if (rows.length >= ROWS_MAX) break;
    }
    return rows.slice(-ROWS_MAX);
  }

  #noteRows({ extension, level, message }: Note, width: number): string[] {
    const role = roleOfLevel(level);
    const rows = labelledRows(extension, message, width, NOTE_ROWS);
    return rows.map((row) => this.#look.paint(role, clampRow(row, width)));
  }
}
