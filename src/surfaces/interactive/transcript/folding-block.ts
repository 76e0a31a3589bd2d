import type { TuiMouseEvent, TuiMouseEventResult } from "@earendil-works/pi-tui/dist/tui.js";
import { Block } from "./block.ts";

/** A block that shows its gist or all of itself; a click changes which. */
export abstract class FoldingBlock extends Block {
  #open = false;

  protected get isOpen(): boolean {
    return this.#open;
  }

  override unfold(open: boolean): void {
    this.#open = open;
    this.changed();
  }

  override handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.type !== "click") return undefined;
    this.unfold(!this.#open);
    return { handled: true };
  }
}
