import type { Component } from "@earendil-works/pi-tui";
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

  handleMouse(
    event: Parameters<NonNullable<Component["handleMouse"]>>[0],
  ): ReturnType<NonNullable<Component["handleMouse"]>> {
    return this.#current().handleMouse?.(event);
  }

  invalidate(): void {
    this.#current().invalidate();
  }
}
