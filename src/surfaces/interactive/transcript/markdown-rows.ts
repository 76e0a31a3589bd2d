import { Markdown, type MarkdownTheme } from "@earendil-works/pi-tui";
import { clampRow } from "../text/cells.ts";
import { safeText } from "../text/safe-text.ts";
import { Block } from "./block.ts";

/** Markdown without fenced code, as rows. */
export class MarkdownRows extends Block {
  readonly #markdown: Markdown;

  constructor(text: string, theme: MarkdownTheme) {
    super();
    this.#markdown = new Markdown(safeText(text, "strip"), 0, 0, theme);
  }

  setText(text: string): void {
    this.#markdown.setText(safeText(text, "strip"));
    this.changed();
  }

  override invalidate(): void {
    super.invalidate();
    this.#markdown.invalidate();
  }

  protected draw(width: number): readonly string[] {
    // Once more behind the renderer: it decodes entities and builds links, and neither may make of text what text was not.
    const rows = this.#markdown.render(Math.max(1, width)).map((row) => clampRow(safeText(row).trimEnd(), width));
    while (rows.length > 0 && rows.at(-1) === "") rows.pop();
    return rows.length === 0 ? rows : [...rows, ""];
  }
}
