import type { Markdown } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { clampRow } from "../text/cells.ts";
import { safeText } from "../text/safe-text.ts";
import { Block } from "./block.ts";

/** Markdown without fenced code, as rows. */
export class MarkdownRows extends Block {
  readonly #renderer: Markdown;

  /** @param renderer one of its own, which shows this text from now on */
  constructor(renderer: Markdown, text: string) {
    super();
    this.#renderer = renderer;
    this.setText(text);
  }

  setText(text: string): void {
    this.#renderer.setText(safeText(text, "strip"));
    this.changed();
  }

  override invalidate(): void {
    super.invalidate();
    this.#renderer.invalidate();
  }

  protected draw(width: number): readonly string[] {
    // Once more behind the renderer: it decodes entities and builds links, and neither may make of text what text was not.
    const rows = this.#renderer.render(Math.max(1, width)).map((row) => clampRow(safeText(row).trimEnd(), width));
    while (rows.length > 0 && rows.at(-1) === "") rows.pop();
    return rows.length === 0 ? rows : [...rows, ""];
  }
}
