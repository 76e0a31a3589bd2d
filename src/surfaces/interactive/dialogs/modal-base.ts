import type { Wish } from "../screen/allot.ts";
import type { Modal } from "../screen/foreground.ts";
import { cellWidth, clampRow, fitRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";

/** A dialog may fill this part of the screen; the transcript above it is what it is about. */
const SHARE = 0.75;
/** A row of what is asked, one that says how much more there is, and one to answer with, between the title and the keys. */
const LEAST = 5;

/** What the keys do while they still go where somebody is typing (`Foreground`). */
const NOT_YET = "stop typing for a moment to answer · esc leaves";

/** What all dialogs and pickers have in common: a rule with a title, a body that fits the height, a line of keys. */
export abstract class ModalBase implements Modal {
  /** The terminal library says whether keys come here. */
  focused = false;
  /** Page keys are for the dialog, not for the transcript behind it. */
  readonly capturesViewportInput = true;
  protected readonly look: Look;
  #height = LEAST;

  constructor(look: Look) {
    this.look = look;
  }

  abstract handleInput(data: string): void;

  /** One row; may be anybody's text. */
  protected abstract title(): string;

  /** At most `room` rows of at most `width` cells each. */
  protected abstract body(width: number, room: number): readonly string[];

  /** What keys do here; one row of safe text. */
  protected abstract keys(): string;

  wish(width: number, height: number): Wish {
    const most = Math.max(LEAST, Math.floor(height * SHARE));
    const want = Math.min(most, this.body(width, most - 2).length + 2);
    return { min: Math.min(LEAST, want), want };
  }

  fit(rows: number): void {
    this.#height = rows;
  }

  render(width: number): readonly string[] {
    const room = Math.max(1, this.#height - 2);
    const body = this.body(width, room).slice(0, room);
    const keys = this.look.paint("faint", clampRow(` ${this.focused ? this.keys() : NOT_YET}`, width));
    const rows = [this.#rule(width), ...body, keys].slice(0, Math.max(1, this.#height));
    return rows.map((row) => fitRow(row, width));
  }

  invalidate(): void {
    return;
  }

  #rule(width: number): string {
    const title = clampRow(`── ${safeLine(this.title(), "strip")} `, width);
    const line = "─".repeat(Math.max(0, width - cellWidth(title)));
    return this.look.paint("borderFocused", title + line);
  }
}
