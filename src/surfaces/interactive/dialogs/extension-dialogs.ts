import type { TUI } from "@earendil-works/pi-tui/dist/tui.js";
import type { Dialog, DialogAnswer } from "../../../host/dialog.ts";
import type { Foreground, Modal } from "../screen/foreground.ts";
import type { Look } from "../theme/look.ts";
import { AskDialog } from "./ask-dialog.ts";
import { ChoiceDialog } from "./choice-dialog.ts";
import { EditorDialog } from "./editor-dialog.ts";
import { InputDialog } from "./input-dialog.ts";
import { messageRows } from "./paged-rows.ts";
import { Picker } from "./picker.ts";

export interface ExtensionDialogsParts {
  readonly look: Look;
  readonly tui: TUI;
  readonly foreground: Foreground;
  redraw(): void;
  /** Hands a text to the user's own editor. */
  external(text: string): Promise<string>;
}

const CANCELLED: DialogAnswer = { kind: "cancelled" };

/** Questions of extensions, each under the name of who asks. */
export class ExtensionDialogs {
  readonly #parts: ExtensionDialogsParts;

  constructor(parts: ExtensionDialogsParts) {
    this.#parts = parts;
  }

  /** Resolves with the answer, or as cancelled when `signal` says that nobody waits for it any more. */
  ask(dialog: Dialog, signal: AbortSignal): Promise<DialogAnswer> {
    const { foreground, redraw } = this.#parts;
    return new Promise((resolve) => {
      const endsAt = dialog.timeoutMs === undefined ? undefined : performance.now() + dialog.timeoutMs;
      // The countdown in the title.
      const ticker = endsAt === undefined ? undefined : setInterval(redraw, 1_000);
      const end = (answer: DialogAnswer): void => {
        clearInterval(ticker);
        signal.removeEventListener("abort", cancel);
        foreground.close(modal);
        redraw();
        resolve(answer);
      };
      const cancel = (): void => end(CANCELLED);
      const modal = this.#modal(dialog, () => titleOf(dialog, endsAt), end);
      if (signal.aborted) {
        cancel();
        return;
      }
      signal.addEventListener("abort", cancel, { once: true });
      foreground.ask(modal);
      redraw();
    });
  }

  #modal({ question }: Dialog, title: () => string, end: (answer: DialogAnswer) => void): Modal {
    const { look, tui, external, redraw } = this.#parts;
    const cancelled = (): void => end(CANCELLED);
    const entered = (value: string): void => end({ kind: "value", value });
    switch (question.kind) {
      case "select":
        return new Picker<string>(look, {
          title,
          items: question.options.map(({ label, description }) => ({ value: label, label, description })),
          picked: entered,
          cancelled,
          redraw,
        });
      case "confirm":
        return new ChoiceDialog<DialogAnswer>(look, {
          title,
          detail: messageRows(look, question.message),
          choices: [
            { key: "y", label: "yes", value: { kind: "confirmed", confirmed: true } },
            { key: "n", label: "no", value: { kind: "confirmed", confirmed: false } },
          ],
          otherwise: CANCELLED,
          chosen: end,
        });
      case "input":
        return new InputDialog(look, {
          title,
          placeholder: question.placeholder,
          masked: question.masked,
          entered,
          cancelled,
        });
      case "editor":
        return new EditorDialog(look, tui, {
          title,
          prefill: question.prefill,
          enterSends: question.promptStyle,
          entered,
          cancelled,
          external,
        });
      case "ask":
        return new AskDialog(look, {
          title,
          questions: question.questions,
          answered: (answers) => end({ kind: "answers", answers }),
          cancelled,
        });
    }
  }
}

/** Who asks, what, and how long there is. */
function titleOf({ extension, question }: Dialog, endsAt: number | undefined): string {
  const own = question.kind === "ask" || question.title.trim() === "" ? "asks" : question.title;
  const left = endsAt === undefined ? "" : ` · ${Math.max(0, Math.ceil((endsAt - performance.now()) / 1000))} s left`;
  return `[${extension}] ${own}${left}`;
}
