import { clampRow } from "../text/cells.ts";
import type { Look } from "../theme/look.ts";
import { Block } from "./block.ts";

/** Stands at the top for what is no longer on the screen. */
export class LeftOut extends Block {
  readonly #look: Look;
  #count = 0;

  constructor(look: Look) {
    super();
    this.#look = look;
  }

  /** @param count how many more */
  add(count: number): void {
    this.#count += count;
    this.changed();
  }

  protected draw(width: number): readonly string[] {
    const text = `… ${this.#count} older entries are left out on the screen; the session has all that was said`;
    return [this.#look.paint("faint", clampRow(text, width)), ""];
  }
}
