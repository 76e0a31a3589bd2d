import type { MarkdownTheme } from "@earendil-works/pi-tui/dist/components/markdown.js";
import type { MarkdownReader } from "./markdown-reader.ts";

/**
 * Markdown, once it can be read: what it takes is a third of all that the screen is made of and no first frame needs it, so
 * it is loaded behind that frame. Until then text is plain, and `onLoaded` tells when it is worth drawing again.
 */
export class Markdown {
  readonly #theme: MarkdownTheme;
  readonly #onLoaded: () => void;
  #reader: MarkdownReader | undefined;
  #loading: Promise<void> | undefined;

  constructor(theme: MarkdownTheme, onLoaded: () => void) {
    this.#theme = theme;
    this.#onLoaded = onLoaded;
  }

  /** Undefined until `load` has resolved. */
  get reader(): MarkdownReader | undefined {
    return this.#reader;
  }

  load(): Promise<void> {
    this.#loading ??= import("./markdown-reader.ts").then(({ MarkdownReader: Reader }) => {
      this.#reader = new Reader(this.#theme);
      this.#onLoaded();
    });
    return this.#loading;
  }
}
