import { Input } from "@earendil-works/pi-tui/dist/components/input.js";
import { getKeybindings } from "@earendil-works/pi-tui/dist/keybindings.js";
import { clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { detailText } from "./choice-dialog.ts";
import { MaskedInput } from "./masked-input.ts";
import { ModalBase } from "./modal-base.ts";

export interface InputOptions {
  title(): string;
  /** Safe text above the line; "" for none. */
  readonly message?: string;
  readonly placeholder?: string;
  readonly initial?: string;
  /** What is typed must not be readable on the screen. */
  readonly masked: boolean;
  entered(value: string): void;
  cancelled(): void;
}

/** One line of text. */
export class InputDialog extends ModalBase {
  readonly #options: InputOptions;
  readonly #input: Input;

  constructor(look: Look, options: InputOptions) {
    super(look);
    this.#options = options;
    const placeholder = safeLine(options.placeholder ?? "", "strip");
    this.#input = options.masked
      ? new MaskedInput()
      : new Input({ prompt: "› ", placeholder, placeholderStyle: look.paintOf("faint") });
    if (options.initial !== undefined) this.#input.setValue(options.initial);
  }

  handleInput(data: string): void {
    const keys = getKeybindings();
    if (keys.matches(data, "tui.select.cancel")) this.#options.cancelled();
    else if (keys.matches(data, "tui.select.confirm")) this.#options.entered(this.#input.getValue());
    else this.#input.handleInput(data);
  }

  protected title(): string {
    return this.#options.title();
  }

  protected keys(): string {
    return this.#options.masked ? "enter takes · esc leaves · what you type is hidden" : "enter takes · esc leaves";
  }

  protected body(width: number, room: number): readonly string[] {
    this.#input.focused = this.focused;
    const message = this.#options.message ?? "";
    const detail = message === "" ? [] : detailText(message, width).slice(0, Math.max(0, room - 1));
    return [...detail, ...this.#input.render(width).map((row) => clampRow(row, width))];
  }
}
