import type { Markdown } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { clampRow, wrapRows } from "../text/cells.ts";
import { safeText } from "../text/safe-text.ts";
import { Block } from "./block.ts";

/** Markdown without fenced code, as rows. What the library cannot draw, or not in good time, is shown as it was written. */
export class MarkdownRows extends Block {
  readonly #renderer: Markdown;
  readonly #isTame: (text: string) => boolean;
  readonly #goesOn: boolean;
  #text = "";
  #isPlain = false;

  /**
   * @param renderer one of its own, which shows this text from now on
   * @param isTame whether the renderer can be trusted with a text
   * @param goesOn whether no blank row stands below it, since what follows belongs to it
   */
  constructor(renderer: Markdown, isTame: (text: string) => boolean, text: string, goesOn: boolean) {
    super();
    this.#renderer = renderer;
    this.#isTame = isTame;
    this.#goesOn = goesOn;
    this.setText(text);
  }

  setText(text: string): void {
    this.#text = safeText(text, "strip");
    this.#isPlain = false;
    this.#renderer.setText(this.#text);
    this.changed();
  }

  override invalidate(): void {
    super.invalidate();
    this.#renderer.invalidate();
  }

  protected draw(width: number): readonly string[] {
    const rows = this.#drawn(width) ?? wrapRows(this.#text, width);
    while (rows.length > 0 && rows.at(-1) === "") rows.pop();
    const isApart = !this.#goesOn || /\n[ \t]*\n$/.test(this.#text);
    return rows.length > 0 && isApart ? [...rows, ""] : rows;
  }

  #drawn(width: number): string[] | undefined {
    if (this.#isPlain) return undefined;
    try {
      if (this.#isTame(this.#text)) {
        // Once more behind the renderer: it decodes entities and builds links, and neither may make of text what text was not.
        return this.#renderer.render(Math.max(1, width)).map((row) => clampRow(safeText(row).trimEnd(), width));
      }
    } catch {
      // The library calls itself for whatever is nested, so text of a stranger can exhaust the stack; plain it is, then.
    }
    this.#isPlain = true;
    return undefined;
  }
}
