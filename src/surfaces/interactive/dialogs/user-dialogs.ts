import type { Foreground, Modal } from "../screen/foreground.ts";
import type { Look } from "../theme/look.ts";
import { InputDialog, type InputOptions } from "./input-dialog.ts";
import { Picker, type PickerOptions } from "./picker.ts";

export type PickOptions<T> = Omit<PickerOptions<T>, "picked" | "cancelled" | "redraw" | "title"> & {
  readonly title: string;
};
export type LineOptions = Omit<InputOptions, "entered" | "cancelled" | "title"> & { readonly title: string };

/** Dialogs that the user opened himself, as promises; undefined when he left them. */
export class UserDialogs {
  readonly #look: Look;
  readonly #foreground: Foreground;
  readonly #redraw: () => void;

  constructor(look: Look, foreground: Foreground, redraw: () => void) {
    this.#look = look;
    this.#foreground = foreground;
    this.#redraw = redraw;
  }

  pick<T>(options: PickOptions<T>): Promise<T | undefined> {
    return this.#open<T>((end) => {
      const { title, ...rest } = options;
      return new Picker<T>(this.#look, {
        ...rest,
        title: () => title,
        picked: end,
        cancelled: () => end(undefined),
        redraw: this.#redraw,
      });
    });
  }

  line(options: LineOptions): Promise<string | undefined> {
    return this.#open<string>((end) => {
      const { title, ...rest } = options;
      return new InputDialog(this.#look, {
        ...rest,
        title: () => title,
        entered: end,
        cancelled: () => end(undefined),
      });
    });
  }

  #open<T>(make: (end: (value: T | undefined) => void) => Modal): Promise<T | undefined> {
    return new Promise((resolve) => {
      const modal = make((value) => {
        this.#foreground.close(modal);
        this.#redraw();
        resolve(value);
      });
      this.#foreground.open(modal);
      this.#redraw();
    });
  }
}
