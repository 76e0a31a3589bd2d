import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { decodePrintableKey, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { clampRow, fillRow } from "../text/cells.ts";
import type { Look } from "../theme/look.ts";
import { ModalBase } from "./modal-base.ts";
import type { PagedRows } from "./paged-rows.ts";

export interface Choice<T> {
  /** One letter that takes it at once. */
  readonly key: string;
  readonly label: string;
  readonly value: T;
}

export interface ChoiceOptions<T> {
  title(): string;
  /** What the choice is about. */
  readonly detail: PagedRows;
  /** What is wrong with the detail; stands above it, wherever it is paged to. Safe text, one row. */
  readonly warning?: string;
  readonly choices: readonly Choice<T>[];
  /** What Esc means. */
  readonly otherwise: T;
  chosen(value: T): void;
}

/** A row of the detail and the one that says how much more there is, however low the screen is. */
const DETAIL_LEAST = 2;

/** A question with a few answers, each of which has a letter. */
export class ChoiceDialog<T> extends ModalBase {
  readonly #options: ChoiceOptions<T>;
  #at = 0;

  constructor(look: Look, options: ChoiceOptions<T>) {
    super(look);
    this.#options = options;
  }

  handleInput(data: string): void {
    const { choices, detail, chosen, otherwise } = this.#options;
    const keys = getKeybindings();
    const typed = decodePrintableKey(data) ?? data;
    const byLetter = choices.find(({ key }) => key === typed);
    if (byLetter !== undefined) chosen(byLetter.value);
    else if (keys.matches(data, "tui.select.cancel")) chosen(otherwise);
    else if (keys.matches(data, "tui.select.confirm")) chosen(choices[this.#at]?.value ?? otherwise);
    else if (keys.matches(data, "tui.select.up")) this.#at = (this.#at + choices.length - 1) % choices.length;
    else if (keys.matches(data, "tui.select.down")) this.#at = (this.#at + 1) % choices.length;
    else if (matchesKey(data, "home")) detail.toStart();
    else if (matchesKey(data, "end")) detail.toEnd();
    else detail.handleInput(data);
  }

  override invalidate(): void {
    this.#options.detail.invalidate();
  }

  protected title(): string {
    return this.#options.title();
  }

  protected keys(): string {
    return "↑↓ choose · enter takes · esc declines";
  }

  protected body(width: number, room: number): readonly string[] {
    const { choices, detail, warning = "" } = this.#options;
    const warnings = warning === "" ? [] : [this.look.paint("error", clampRow(` ${warning}`, width))];
    const rest = room - warnings.length;
    const space = Math.max(1, rest - Math.min(DETAIL_LEAST, detail.count(width)));
    const first = Math.max(0, Math.min(this.#at, choices.length - space));
    const shown = choices.slice(first, first + space);
    return [
      ...warnings,
      ...detail.show(width, rest - shown.length),
      ...shown.map(({ key, label }, index) => this.#choice(key, label, first + index, width)),
    ];
  }

  #choice(key: string, label: string, index: number, width: number): string {
    const text = ` ${key}  ${label}`;
    return index === this.#at ? this.look.selected(fillRow(text, width)) : clampRow(text, width);
  }
}
