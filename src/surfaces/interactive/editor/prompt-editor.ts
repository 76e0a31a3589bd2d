import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";
import type { Wish } from "../screen/allot.ts";
import type { Region } from "../screen/region.ts";
import { editorTheme } from "../theme/library-themes.ts";
import type { Look } from "../theme/look.ts";

const PASTE_START = "\u001b[200~";
const POPUP_ROWS = 8;
const POPUP_ROWS_SMALL = 3;
const SMALL_HEIGHT = 16;

/** What the editor leaves to the rest of the surface. */
export interface EditorKeys {
  submit(text: string, isLiteral: boolean): void;
  /** Enter in an empty editor. */
  submitNothing(): void;
  /** Esc with no popup open. */
  escape(): void;
  /** Ctrl-C with nothing to clear. */
  interrupt(): void;
  /** Ctrl-D in an empty editor. */
  endOfInput(): void;
  /** Up in an empty editor; true when it took something back, so that the history stays where it is. */
  takeBack(): boolean;
}

/**
 * Where prompts are written. Everything that editing needs is the library's; here is what keys mean to zot. Text that was pasted
 * with line breaks in it is literal: however it starts, it is sent as a prompt and never runs as a command.
 */
export class PromptEditor extends Editor implements Region {
  #keys: EditorKeys | undefined;
  #isLiteral = false;
  #height = 0;

  constructor(tui: TUI, look: Look) {
    super(tui, editorTheme(look), { paddingX: 1, autocompleteMaxVisible: POPUP_ROWS });
    this.onSubmit = (text) => {
      const isLiteral = this.#isLiteral;
      this.#isLiteral = false;
      if (text === "") this.#keys?.submitNothing();
      else this.#keys?.submit(text, isLiteral);
    };
  }

  /** Who takes what is not for editing. */
  serve(keys: EditorKeys): void {
    this.#keys = keys;
  }

  get isEmpty(): boolean {
    return this.getText() === "";
  }

  wish(width: number, height: number): Wish {
    this.setAutocompleteMaxVisible(height < SMALL_HEIGHT ? POPUP_ROWS_SMALL : POPUP_ROWS);
    const want = super.render(width).length;
    return { min: Math.min(want, this.isShowingAutocomplete() ? 3 + POPUP_ROWS_SMALL : 3), want };
  }

  fit(rows: number): void {
    this.#height = rows;
  }

  override render(width: number): string[] {
    const rows = super.render(width);
    // On a screen too low for both borders the text is what counts.
    return this.#height < 3 && rows.length > this.#height ? rows.slice(1) : rows;
  }

  override handleInput(data: string): void {
    if (this.isEmpty) this.#isLiteral = false;
    if (data.startsWith(PASTE_START)) this.#notePaste(data);
    else if (this.#handleKey(data)) return;
    super.handleInput(data);
  }

  #notePaste(data: string): void {
    if (/[\r\n]/.test(data.slice(PASTE_START.length).trimEnd())) this.#isLiteral = true;
  }

  #handleKey(data: string): boolean {
    if (matchesKey(data, "escape") && !this.isShowingAutocomplete()) {
      this.#keys?.escape();
      return true;
    }
    if (matchesKey(data, "ctrl+c")) {
      if (this.isEmpty) this.#keys?.interrupt();
      else this.setText("");
      return true;
    }
    if (matchesKey(data, "ctrl+d") && this.isEmpty) {
      this.#keys?.endOfInput();
      return true;
    }
    return matchesKey(data, "up") && this.isEmpty && this.#keys?.takeBack() === true;
  }
}
