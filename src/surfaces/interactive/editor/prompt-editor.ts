import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import {
  CURSOR_MARKER,
  type TUI,
  type TuiMouseEvent,
  type TuiMouseEventResult,
} from "@earendil-works/pi-tui/dist/tui.js";
import type { Wish } from "../screen/allot.ts";
import type { Region } from "../screen/region.ts";
import { editorTheme } from "../theme/library-themes.ts";
import type { Look } from "../theme/look.ts";
import { SafeEditor } from "./safe-editor.ts";

const POPUP_ROWS = 8;
const POPUP_ROWS_SMALL = 3;
const SMALL_HEIGHT = 16;
/** A folder that was completed behind `@`, up to the cursor. */
const AT_FOLDER = /@("[^"]*|[^\s"]*)\/$/;
const BACKSPACE = "\u007f";
/** Both borders and a row of text. */
const BORDERED_HEIGHT = 3;

/** What the editor leaves to the rest of the surface. */
export interface EditorKeys {
  submit(text: string): void;
  /** Whether a text is a command that does nothing without more behind it. */
  isUnfinished(text: string): boolean;
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

/** Where prompts are written. Everything that editing needs is the library's; here is what keys mean to zot. */
export class PromptEditor extends SafeEditor implements Region {
  #keys: EditorKeys | undefined;
  #height = 0;
  /** What stood here when a key came that may take an offer of the popup; undefined when there was no popup. */
  #offeredFor: string | undefined;
  /** Rows that were left out above the first one that was drawn. */
  #hidden = 0;

  constructor(tui: TUI, look: Look) {
    super(tui, editorTheme(look), { paddingX: 1, autocompleteMaxVisible: POPUP_ROWS });
    this.onSubmit = (text) => {
      const isTyped = this.#offeredFor === undefined || this.#offeredFor.trim() === text;
      if (text === "") this.#keys?.submitNothing();
      // Taken from the popup: what has to follow can be typed now.
      else if (!isTyped && this.#keys?.isUnfinished(text) === true) this.setText(`${text} `);
      else this.#keys?.submit(text);
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
    const spare = rows.length - this.#height;
    // On a screen too low for both borders the text is what counts, and of that the row with the cursor.
    const least = this.#height < BORDERED_HEIGHT ? 1 : 0;
    const cursor = rows.findIndex((row) => row.includes(CURSOR_MARKER));
    this.#hidden = spare <= 0 ? 0 : Math.min(spare, Math.max(least, cursor - this.#height + 1));
    return rows.slice(this.#hidden);
  }

  override handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    return super.handleMouse({ ...event, y: event.y + this.#hidden });
  }

  override handleInput(data: string): void {
    if (this.#handleKey(data)) return;
    this.#offeredFor = this.isShowingAutocomplete() ? this.getText() : undefined;
    super.handleInput(data);
    if (this.#offeredFor !== undefined && this.#hasTakenFolder()) {
      // Its slash once more, as if it were typed: that opens the popup for what is in the folder.
      super.handleInput(BACKSPACE);
      super.handleInput("/");
    }
  }

  #hasTakenFolder(): boolean {
    if (this.isShowingAutocomplete() || this.getText() === this.#offeredFor) return false;
    const { line, col } = this.getCursor();
    return AT_FOLDER.test((this.getLines()[line] ?? "").slice(0, col));
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
