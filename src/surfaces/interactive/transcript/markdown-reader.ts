import { Markdown as MarkdownRenderer, type MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import { Marked, type Token } from "marked";
import { MarkdownRows } from "./markdown-rows.ts";

/** Takes markdown apart and makes rows of it; reached through `Markdown`, which loads it behind the first frame. */
export class MarkdownReader {
  readonly #lexer = new Marked();
  readonly #theme: MarkdownTheme;

  constructor(theme: MarkdownTheme) {
    this.#theme = theme;
  }

  /** The blocks of a text, in order; their `raw` put together is the text. */
  tokens(text: string): readonly Token[] {
    return this.#lexer.lexer(text);
  }

  rows(text: string): MarkdownRows {
    return new MarkdownRows(new MarkdownRenderer("", 0, 0, this.#theme), text);
  }
}
