import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { ModalBase } from "../dialogs/modal-base.ts";
import { headOf } from "../text/cut.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { AnswerBlock } from "../transcript/answer-block.ts";
import type { Highlighter } from "../transcript/highlight.ts";
import type { Markdown } from "../transcript/markdown.ts";

export interface SideAnswerParts {
  readonly look: Look;
  readonly highlighter: Highlighter;
  readonly markdown: Markdown;
  readonly question: string;
  closed(): void;
}

/** The answer to a side question, over the editor and gone when it is closed. */
export class SideAnswer extends ModalBase {
  readonly #parts: SideAnswerParts;
  readonly #block: AnswerBlock;
  #scroll = 0;
  #page = 1;
  #state = "asking…";

  constructor(parts: SideAnswerParts) {
    super(parts.look);
    this.#parts = parts;
    this.#block = new AnswerBlock(parts);
  }

  append(delta: string): void {
    this.#state = "answering…";
    this.#block.append(delta);
  }

  /** @param fault why it did not come to its end */
  end(fault?: string): void {
    this.#block.close();
    this.#state = fault === undefined ? "" : safeLine(fault, "strip");
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel") || keys.matches(data, "tui.select.confirm")) this.#parts.closed();
    else if (keys.matches(data, "tui.select.up")) this.#scroll -= 1;
    else if (keys.matches(data, "tui.select.down")) this.#scroll += 1;
    else if (keys.matches(data, "tui.select.pageUp")) this.#scroll -= this.#page;
    else if (keys.matches(data, "tui.select.pageDown")) this.#scroll += this.#page;
  }

  override invalidate(): void {
    this.#block.invalidate();
  }

  protected title(): string {
    return `btw · ${safeLine(headOf(this.#parts.question, 200), "strip")}`;
  }

  protected keys(): string {
    return `${this.#state === "" ? "" : `${this.#state} · `}↑↓ scroll · esc closes · leaves no trace`;
  }

  protected body(width: number, room: number): readonly string[] {
    const rows = this.#block.render(width - 2);
    this.#page = room;
    this.#scroll = Math.max(0, Math.min(this.#scroll, rows.length - room));
    return rows.slice(this.#scroll, this.#scroll + room).map((row) => ` ${row}`);
  }
}
