import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { decodePrintableKey, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { AskAnswer, AskQuestion } from "../../../host/dialog.ts";
import { clampRow, fillRow, wrapRows } from "../text/cells.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { LineInput } from "./line-input.ts";
import { ModalBase } from "./modal-base.ts";
import { PagedRows } from "./paged-rows.ts";

const QUESTION_ROWS = 6;
const PREVIEW_ROWS = 6;

export interface AskDialogOptions {
  title(): string;
  readonly questions: readonly AskQuestion[];
  answered(answers: readonly AskAnswer[]): void;
  cancelled(): void;
}

/** What has been answered to one question so far. */
interface Draft {
  readonly chosen: Set<number>;
  readonly text: PagedRows;
  readonly input: LineInput;
  /** Index of the row with the cursor; the one behind the options is for free text. */
  at: number;
}

/** Several questions, one after the other, each with options and a line for an answer of one's own. */
export class AskDialog extends ModalBase {
  readonly #options: AskDialogOptions;
  readonly #drafts: readonly Draft[];
  #current = 0;

  constructor(look: Look, options: AskDialogOptions) {
    super(look);
    this.#options = options;
    this.#drafts = options.questions.map((question) => ({
      text: this.#questionText(question),
      chosen: new Set(),
      input: new LineInput({ prompt: "  › ", placeholder: "something else", placeholderStyle: look.paintOf("faint") }),
      at: question.recommended ?? 0,
    }));
  }

  handleInput(data: string): void {
    const { question, draft } = this.#here();
    const keys = getKeybindings();
    const isText = draft.at === question.options.length;
    const typed = decodePrintableKey(data) ?? data;
    if (keys.matches(data, "tui.select.cancel")) this.#options.cancelled();
    else if (keys.matches(data, "tui.select.up")) this.#move(-1);
    else if (keys.matches(data, "tui.select.down")) this.#move(1);
    else if (matchesKey(data, "shift+tab")) this.#current = Math.max(0, this.#current - 1);
    else if (keys.matches(data, "tui.select.confirm")) this.#confirm();
    else if (draft.text.handleInput(data)) return;
    else if (isText) draft.input.handleInput(data);
    else if (typed === " " && question.multi) this.#toggle();
    else if (/^[1-9]$/.test(typed) && Number(typed) <= question.options.length) draft.at = Number(typed) - 1;
  }

  override invalidate(): void {
    for (const { text } of this.#drafts) text.invalidate();
  }

  protected title(): string {
    const count = this.#options.questions.length;
    return count === 1 ? this.#options.title() : `${this.#options.title()} · ${this.#current + 1} of ${count}`;
  }

  protected keys(): string {
    const { question } = this.#here();
    const back = this.#current > 0 ? " · shift+tab back" : "";
    return `↑↓ choose${question.multi ? " · space marks" : ""} · enter ${this.#isLast ? "answers" : "next"}${back} · esc declines`;
  }

  protected body(width: number, room: number): readonly string[] {
    const { question, draft } = this.#here();
    draft.input.focused = this.focused && draft.at === question.options.length;
    const choices = [
      ...question.options.map((_, index) => this.#option(index, width)),
      ...draft.input.render(width).map((row) => clampRow(row, width)),
    ];
    const forText = Math.min(draft.text.count(width), QUESTION_ROWS);
    const space = Math.max(1, room - Math.min(forText, Math.max(0, room - 3)));
    const first = Math.max(0, Math.min(draft.at - Math.floor(space / 2), choices.length - space));
    const shown = choices.slice(first, first + space);
    const head = draft.text.show(width, Math.min(forText, room - shown.length));
    return [...head, ...shown, ...this.#preview(width, room - head.length - shown.length)];
  }

  #here(): { question: AskQuestion; draft: Draft } {
    const question = this.#options.questions[this.#current];
    const draft = this.#drafts[this.#current];
    if (question === undefined || draft === undefined) throw new RangeError("an ask without questions");
    return { question, draft };
  }

  get #isLast(): boolean {
    return this.#current === this.#options.questions.length - 1;
  }

  #questionText({ header, question }: AskQuestion): PagedRows {
    const head = header === "" ? "" : `${this.look.bold(safeLine(header, "strip"))}\n`;
    const text = head + safeText(question, "strip");
    return new PagedRows(this.look, (width) => wrapRows(text, width - 2).map((row) => ` ${row}`));
  }

  #option(index: number, width: number): string {
    const { question, draft } = this.#here();
    const option = question.options[index];
    if (option === undefined) return "";
    const box = question.multi ? `${draft.chosen.has(index) ? "☑" : "☐"} ` : "";
    const star = question.recommended === index ? " (recommended)" : "";
    const label = `${box}${safeLine(option.label, "strip")}${star}`;
    const description = option.description === "" ? "" : `  ${safeLine(option.description, "strip")}`;
    if (draft.at === index) return this.look.selected(fillRow(` ${index + 1}  ${label}${description}`, width));
    return clampRow(` ${index + 1}  ${label}${this.look.paint("muted", description)}`, width);
  }

  #preview(width: number, room: number): string[] {
    const { question, draft } = this.#here();
    const preview = question.options[draft.at]?.preview ?? "";
    const most = Math.min(room, PREVIEW_ROWS);
    if (preview === "" || most <= 0) return [];
    const rows = wrapRows(safeText(preview), width - 2, most + 1).map((row) => `  ${row}`);
    return rows.length <= most ? rows : [...rows.slice(0, most - 1), this.look.paint("faint", "  …")];
  }

  #move(by: number): void {
    const { question, draft } = this.#here();
    const rows = question.options.length + 1;
    draft.at = (draft.at + by + rows) % rows;
  }

  #toggle(): void {
    const { draft } = this.#here();
    if (!draft.chosen.delete(draft.at)) draft.chosen.add(draft.at);
  }

  #confirm(): void {
    const { question, draft } = this.#here();
    const isText = draft.at === question.options.length;
    if (!question.multi) {
      draft.chosen.clear();
      if (!isText) draft.chosen.add(draft.at);
    } else if (draft.chosen.size === 0 && !isText) draft.chosen.add(draft.at);
    if (!this.#isLast) {
      this.#current += 1;
      return;
    }
    this.#options.answered(this.#options.questions.map((each, index) => this.#answer(each, index)));
  }

  #answer({ id, options, multi }: AskQuestion, index: number): AskAnswer {
    const draft = this.#drafts[index];
    const chosen = [...(draft?.chosen ?? [])].sort((a, b) => a - b);
    const selectedOptions = chosen.flatMap((at) => options[at]?.label ?? []);
    const typed = draft?.input.getValue().trim() ?? "";
    // With one answer to give, the line counts only when nothing else was chosen.
    const customInput = typed !== "" && (multi || selectedOptions.length === 0) ? typed : undefined;
    return { id, selectedOptions, ...(customInput === undefined ? {} : { customInput }) };
  }
}
