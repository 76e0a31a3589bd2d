import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { LineInput } from "./line-input.ts";
import { MaskedInput } from "./masked-input.ts";
import { ModalBase } from "./modal-base.ts";
import { messageRows, type PagedRows } from "./paged-rows.ts";

export interface InputOptions {
  title(): string;
  /** Text above the line. */
  readonly message?: string;
  readonly placeholder?: string;
  /** What is typed must not be readable on the screen. */
  readonly masked: boolean;
  entered(value: string): void;
  cancelled(): void;
}

/** One line of text. */
export class InputDialog extends ModalBase {
  readonly #options: InputOptions;
  readonly #message: PagedRows | undefined;
  readonly #input: LineInput | MaskedInput;

  constructor(look: Look, options: InputOptions) {
    super(look);
    this.#options = options;
    const placeholder = safeLine(options.placeholder ?? "", "strip");
    this.#input = options.masked
      ? new MaskedInput()
      : new LineInput({ prompt: "› ", placeholder, placeholderStyle: look.paintOf("faint") });
    this.#message = options.message === undefined ? undefined : messageRows(look, options.message);
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.#options.cancelled();
    else if (keys.matches(data, "tui.select.confirm")) this.#options.entered(this.#input.getValue());
    else if (this.#message?.handleInput(data) !== true) this.#input.handleInput(data);
  }

  override invalidate(): void {
    this.#message?.invalidate();
  }

  protected title(): string {
    return this.#options.title();
  }

  protected keys(): string {
    return this.#options.masked ? "enter takes · esc leaves · what you type is hidden" : "enter takes · esc leaves";
  }

  protected body(width: number, room: number): readonly string[] {
    this.#input.focused = this.focused;
    return [
      ...(this.#message?.show(width, room - 1) ?? []),
      ...this.#input.render(width).map((row) => clampRow(row, width)),
    ];
  }
}
