import type { TuiMouseEvent, TuiMouseEventResult } from "@earendil-works/pi-tui/dist/tui.js";
import type { Wish } from "./allot.ts";
import type { Region } from "./region.ts";

/** The place of the editor, in which dialogs and pickers stand while they have the keys. */
export class EditorPlace implements Region {
  readonly #current: () => Region;

  constructor(current: () => Region) {
    this.#current = current;
  }

  wish(width: number, height: number): Wish {
    return this.#current().wish(width, height);
  }

  fit(rows: number): void {
    this.#current().fit(rows);
  }

  render(width: number): readonly string[] {
    return this.#current().render(width);
  }

  /** Who has the keys is not for the mouse to decide: a click moves the cursor and nothing else. */
  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    const result = this.#current().handleMouse?.(event);
    return result === undefined
      ? undefined
      : { handled: true, ...(result.render === undefined ? {} : { render: result.render }) };
  }

  invalidate(): void {
    this.#current().invalidate();
  }
}
