import type { TuiMouseEvent, TuiMouseEventResult } from "@earendil-works/pi-tui/dist/tui.js";
import { fitRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";

/**
 * One piece of the transcript. Draws itself anew only when it or the width changed: a long transcript must cost a frame no
 * more than a short one. An unchanged block gives the identical array.
 */
export abstract class Block {
  #rows: readonly string[] = [];
  #width = 0;
  #fresh = false;

  /** The rows at this width; one that is wider is cut. */
  protected abstract draw(width: number): readonly string[];

  /** Whether its rows are those of other blocks, which are not too wide; measuring them anew would cost what all of it is long. */
  protected get isMadeOfBlocks(): boolean {
    return false;
  }

  /** Characters that it keeps; what all of them keep together is bounded. */
  get chars(): number {
    return 0;
  }

  render(width: number): readonly string[] {
    if (this.#fresh && this.#width === width) return this.#rows;
    const rows = this.#drawn(width);
    this.#rows = this.isMadeOfBlocks ? rows : rows.map((row) => fitRow(row, width));
    this.#width = width;
    this.#fresh = true;
    return this.#rows;
  }

  /** Something that it shows has changed. */
  changed(): void {
    this.#fresh = false;
  }

  /** The theme has changed. */
  invalidate(): void {
    this.#fresh = false;
  }

  /** Shows all or only the gist; for blocks that fold. */
  unfold(_open: boolean): void {
    return;
  }

  handleMouse(_event: TuiMouseEvent): TuiMouseEventResult | undefined {
    return undefined;
  }

  /** A piece that cannot be drawn must cost neither the others nor the session, which would show it again with every start. */
  #drawn(width: number): readonly string[] {
    try {
      return this.draw(width);
    } catch (error) {
      return [fitRow(`(cannot be shown: ${safeLine(String(error), "strip")})`, width), ""];
    }
  }
}
