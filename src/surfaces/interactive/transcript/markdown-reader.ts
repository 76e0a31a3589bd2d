import { Markdown as MarkdownRenderer, type MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import type { Token } from "marked";
import { asText, blocksOf } from "./block-lexer.ts";
import { MarkdownRows } from "./markdown-rows.ts";
import { deepLine, isTame } from "./tame-markdown.ts";

/** Takes markdown apart and makes rows of it; reached through `Markdown`, which loads it behind the first frame. */
export class MarkdownReader {
  readonly #theme: MarkdownTheme;

  constructor(theme: MarkdownTheme) {
    this.#theme = theme;
  }

  /** The blocks of a text, in order; their `raw` put together is the text. What cannot be taken apart is one block. */
  tokens(text: string): readonly Token[] {
    const tokens: Token[] = [];
    let rest = text;
    for (let deep = deepLine(rest); deep !== undefined; deep = deepLine(rest)) {
      tokens.push(...tokensOf(rest.slice(0, deep.start)), asText(rest.slice(deep.start, deep.end)));
      rest = rest.slice(deep.end);
    }
    return [...tokens, ...tokensOf(rest)];
  }

  /** @param goesOn whether what follows belongs to the same paragraph, list or table */
  rows(text: string, goesOn = false): MarkdownRows {
    return new MarkdownRows(new MarkdownRenderer("", 0, 0, this.#theme), isTame, text, goesOn);
  }
}

function tokensOf(text: string): readonly Token[] {
  try {
    return blocksOf(text).tokens;
  } catch {
    // Text of a stranger can exhaust the stack; then it is one block, and shown as it is.
    return [asText(text)];
  }
}
