import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { cellWidth, clampRow, fillRow } from "../text/cells.ts";
import { loadFuzzysort } from "../text/fuzzy.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { LineInput } from "./line-input.ts";
import { ModalBase } from "./modal-base.ts";

export interface PickerItem<T> {
  readonly value: T;
  readonly label: string;
  readonly description?: string;
}

export interface PickerOptions<T> {
  title(): string;
  readonly items: readonly PickerItem<T>[];
  /** Which item is chosen at first. */
  readonly initial?: number;
  readonly empty?: string;
  picked(value: T): void;
  cancelled(): void;
  /** The user moved to another item; for a preview. */
  moved?(value: T): void;
  redraw(): void;
}

const LABEL_SHARE = 0.5;
const MATCH_THRESHOLD = 0.2;

/** A list that filters as you type. */
export class Picker<T> extends ModalBase {
  readonly #options: PickerOptions<T>;
  readonly #filter = new LineInput({ prompt: "› " });
  #shown: readonly PickerItem<T>[];
  #at: number;
  #page = 1;
  /** Undefined for the moment that it takes to load. */
  #fuzzysort: Awaited<ReturnType<typeof loadFuzzysort>> | undefined;

  constructor(look: Look, options: PickerOptions<T>) {
    super(look);
    this.#options = options;
    this.#shown = options.items;
    this.#at = Math.max(0, Math.min(options.initial ?? 0, options.items.length - 1));
    void loadFuzzysort().then((fuzzysort) => {
      this.#fuzzysort = fuzzysort;
      this.#refine();
    });
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.#options.cancelled();
    else if (keys.matches(data, "tui.select.confirm")) this.#pick();
    else if (keys.matches(data, "tui.select.up")) this.#move(-1, true);
    else if (keys.matches(data, "tui.select.down")) this.#move(1, true);
    else if (keys.matches(data, "tui.select.pageUp")) this.#move(-this.#page, false);
    else if (keys.matches(data, "tui.select.pageDown")) this.#move(this.#page, false);
    else if (matchesKey(data, "tab")) this.#move(1, true);
    else this.#type(data);
  }

  protected title(): string {
    return this.#options.title();
  }

  protected keys(): string {
    return "↑↓ choose · type to filter · enter takes · esc leaves";
  }

  protected body(width: number, room: number): readonly string[] {
    this.#filter.focused = this.focused;
    const filter = this.#filter.render(width);
    const rows = Math.max(1, room - filter.length);
    this.#page = rows;
    if (this.#shown.length === 0) {
      const nothing = this.#options.items.length === 0 ? (this.#options.empty ?? "nothing to choose from") : "no match";
      return [...filter, this.look.paint("muted", clampRow(`  ${nothing}`, width))];
    }
    const first = Math.max(0, Math.min(this.#at - Math.floor(rows / 2), this.#shown.length - rows));
    const items = this.#shown.slice(first, first + rows);
    const labelWidth = this.#labelWidth(items, width);
    return [...filter, ...items.map((item, index) => this.#row(item, first + index === this.#at, labelWidth, width))];
  }

  #labelWidth(items: readonly PickerItem<T>[], width: number): number {
    const longest = Math.max(...items.map(({ label }) => cellWidth(safeLine(label, "strip"))));
    const isBare = items.every(({ description }) => description === undefined || description === "");
    return isBare ? width - 3 : Math.min(longest, Math.max(8, Math.floor(width * LABEL_SHARE)));
  }

  #row(item: PickerItem<T>, isChosen: boolean, labelWidth: number, width: number): string {
    const label = fillRow(safeLine(item.label, "strip"), labelWidth);
    const description = safeLine(safeText(item.description ?? "", "strip"), "strip");
    if (isChosen) return this.look.selected(fillRow(` ${label}  ${description}`, width));
    return clampRow(` ${label}  ${this.look.paint("muted", description)}`, width);
  }

  #type(data: string): void {
    const before = this.#filter.getValue();
    this.#filter.handleInput(data);
    const filter = this.#filter.getValue();
    if (filter === before) return;
    this.#shown = this.#matching(filter.trim());
    this.#at = 0;
    this.#moved();
  }

  /** What was typed before the search was there, found with it now; the item that is chosen stays so. */
  #refine(): void {
    const filter = this.#filter.getValue().trim();
    // Without the keys it is not there any more, and must not show anybody a preview.
    if (filter === "" || !this.focused) return;
    const chosen = this.#shown[this.#at];
    this.#shown = this.#matching(filter);
    const at = chosen === undefined ? 0 : this.#shown.indexOf(chosen);
    this.#at = Math.max(0, at);
    if (this.#shown[this.#at] !== chosen) this.#moved();
    this.#options.redraw();
  }

  #matching(filter: string): readonly PickerItem<T>[] {
    const { items } = this.#options;
    if (filter === "") return items;
    const found = this.#fuzzysort?.go(filter, items, { keys: ["label", "description"], threshold: MATCH_THRESHOLD });
    if (found !== undefined) return found.map(({ obj }) => obj);
    const wanted = filter.toLowerCase();
    return items.filter(({ label, description = "" }) => `${label}\n${description}`.toLowerCase().includes(wanted));
  }

  #move(by: number, wraps: boolean): void {
    const count = this.#shown.length;
    if (count === 0) return;
    const next = this.#at + by;
    this.#at = wraps ? (next + count) % count : Math.max(0, Math.min(next, count - 1));
    this.#moved();
  }

  #moved(): void {
    const item = this.#shown[this.#at];
    if (item !== undefined) this.#options.moved?.(item.value);
  }

  #pick(): void {
    const item = this.#shown[this.#at];
    if (item !== undefined) this.#options.picked(item.value);
  }
}
