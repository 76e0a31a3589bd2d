import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { clampRow, fillRow, wrapRows } from "../text/cells.ts";
import type { Look } from "../theme/look.ts";
import { ModalBase } from "./modal-base.ts";

export interface Choice<T> {
  /** One letter that takes it at once. */
  readonly key: string;
  readonly label: string;
  readonly value: T;
}

export interface ChoiceOptions<T> {
  /** Safe text, one row. */
  title(): string;
  /** Rows above the choices, as many as there are; those that do not fit can be scrolled to. */
  detail(width: number): readonly string[];
  readonly choices: readonly Choice<T>[];
  /** What Esc means. */
  readonly otherwise: T;
  chosen(value: T): void;
}

/** A question with a few answers, each of which has a letter. */
export class ChoiceDialog<T> extends ModalBase {
  readonly #options: ChoiceOptions<T>;
  #at = 0;
  #scroll = 0;

  constructor(look: Look, options: ChoiceOptions<T>) {
    super(look);
    this.#options = options;
  }

  override decides(data: string): boolean {
    return super.decides(data) || this.#options.choices.some(({ key }) => key === data);
  }

  handleInput(data: string): void {
    const { choices, chosen, otherwise } = this.#options;
    const keys = getKeybindings();
    const byLetter = choices.find(({ key }) => key === data);
    if (byLetter !== undefined) chosen(byLetter.value);
    else if (keys.matches(data, "tui.select.cancel")) chosen(otherwise);
    else if (keys.matches(data, "tui.select.confirm")) chosen(choices[this.#at]?.value ?? otherwise);
    else if (keys.matches(data, "tui.select.up")) this.#at = (this.#at + choices.length - 1) % choices.length;
    else if (keys.matches(data, "tui.select.down")) this.#at = (this.#at + 1) % choices.length;
    else if (keys.matches(data, "tui.select.pageUp")) this.#scroll -= 5;
    else if (keys.matches(data, "tui.select.pageDown")) this.#scroll += 5;
  }

  protected title(): string {
    return this.#options.title();
  }

  protected keys(): string {
    return "↑↓ choose · enter takes · esc declines";
  }

  protected body(width: number, room: number): readonly string[] {
    const { choices } = this.#options;
    const detail = this.#options.detail(width);
    const space = Math.max(0, room - choices.length);
    const most = Math.max(0, detail.length - space);
    this.#scroll = Math.max(0, Math.min(this.#scroll, most));
    const shown = detail.slice(this.#scroll, this.#scroll + space);
    if (most > 0 && space > 0) {
      const more = `… ${detail.length - space + 1} more rows · pgup pgdn`;
      shown.splice(-1, 1, this.look.paint("faint", clampRow(more, width)));
    }
    return [...shown, ...choices.map(({ key, label }, index) => this.#choice(key, label, index, width))];
  }

  #choice(key: string, label: string, index: number, width: number): string {
    const text = ` ${key}  ${label}`;
    return index === this.#at ? this.look.selected(fillRow(text, width)) : clampRow(text, width);
  }
}

/** A text as the rows above a choice. */
export function detailText(text: string, width: number): string[] {
  return wrapRows(text, width - 2, 500).map((row) => ` ${row}`);
}
