import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { CURSOR_MARKER, type TUI } from "@earendil-works/pi-tui/dist/tui.js";
import { SafeEditor } from "../editor/safe-editor.ts";
import { editorTheme } from "../theme/library-themes.ts";
import type { Look } from "../theme/look.ts";
import { ModalBase } from "./modal-base.ts";

export interface EditorDialogOptions {
  title(): string;
  readonly prefill: string;
  /** Enter sends, as it does for a prompt; otherwise Enter is a new line, and Ctrl-S sends. */
  readonly enterSends: boolean;
  entered(text: string): void;
  cancelled(): void;
  /** Hands the text to the user's own editor. */
  external(text: string): Promise<string>;
}

/** A text of several lines. */
export class EditorDialog extends ModalBase {
  readonly #options: EditorDialogOptions;
  readonly #editor: SafeEditor;

  constructor(look: Look, tui: TUI, options: EditorDialogOptions) {
    super(look);
    this.#options = options;
    this.#editor = new SafeEditor(tui, editorTheme(look), { paddingX: 1 });
    this.#editor.setText(options.prefill);
    this.#editor.disableSubmit = true;
  }

  handleInput(data: string): void {
    const { entered, cancelled, enterSends } = this.#options;
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) cancelled();
    else if (matchesKey(data, "ctrl+s") || matchesKey(data, "ctrl+enter")) entered(this.#editor.getExpandedText());
    else if (matchesKey(data, "ctrl+g")) void this.#external();
    else if (!matchesKey(data, "enter")) this.#editor.handleInput(data);
    else if (enterSends) entered(this.#editor.getExpandedText());
    else this.#editor.insertTextAtCursor("\n");
  }

  protected title(): string {
    return this.#options.title();
  }

  protected keys(): string {
    const send = this.#options.enterSends ? "enter sends · shift+enter new line" : "ctrl+s sends · enter new line";
    return `${send} · ctrl+g your editor · esc leaves`;
  }

  protected body(width: number, room: number): readonly string[] {
    this.#editor.focused = this.focused;
    // Without its own borders: the dialog has a frame already.
    const rows = this.#editor.render(width).slice(1, -1);
    const cursor = rows.findIndex((row) => row.includes(CURSOR_MARKER));
    const last = cursor === -1 ? rows.length : Math.max(room, cursor + 1);
    return rows.slice(Math.max(0, last - room), last);
  }

  async #external(): Promise<void> {
    this.#editor.setText(await this.#options.external(this.#editor.getExpandedText()));
  }
}
