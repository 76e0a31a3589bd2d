import { DIALOGS_PER_EXTENSION_MAX } from "../../wire/limits.ts";
import type { Attachment } from "../attachment.ts";
import type { Dialog, DialogAnswer, Question } from "../dialog.ts";
import type { Extension } from "../extension.ts";
import type { AttachedSurface } from "../ports.ts";
import type { Attention } from "./attention.ts";
import { checkAnswer } from "./dialog-answer.ts";
import { OpenDialog } from "./open-dialog.ts";

/**
 * Questions of extensions to a human (feature `ui`). Each gets exactly one answer: from the surface, at its deadline,
 * when the extension takes it back, or at once where nobody can be asked. A generation takes its questions along.
 */
export class Dialogs {
  readonly #attachment: Attachment;
  readonly #attention: Attention;
  readonly #open = new Set<OpenDialog>();
  #count = 0;

  constructor(attachment: Attachment, attention: Attention) {
    this.#attachment = attachment;
    this.#attention = attention;
    attachment.add({
      attached: (surface) => {
        for (const dialog of [...this.#open]) this.#present(dialog, surface);
      },
      detached: () => {
        for (const dialog of this.#open) dialog.withdraw();
      },
    });
  }

  /** Those that wait for an answer, oldest first. */
  get open(): readonly Dialog[] {
    return [...this.#open].map((dialog) => dialog.view);
  }

  /**
   * Asks. `id` is the extension's own and comes back with the answer.
   * @param timeoutMs from now on; absent: no limit
   */
  ask(owner: Extension, id: string, question: Question, timeoutMs: number | undefined): void {
    if (owner.connection === undefined) return;
    const own = [...this.#open].filter((dialog) => dialog.owner === owner);
    if (own.some((dialog) => dialog.wireId === id)) {
      owner.diagnostics.add(`dialog ${JSON.stringify(id)} is open already; the second one is ignored`);
      return;
    }
    if (own.length >= DIALOGS_PER_EXTENSION_MAX) {
      owner.diagnostics.add(`more than ${DIALOGS_PER_EXTENSION_MAX} open dialogs; cancelled`);
      this.refuse(owner, id);
      return;
    }
    this.#count += 1;
    const dialog = new OpenDialog(owner, id, { id: `d${this.#count}`, question, timeoutMs }, () => {
      this.#settle(dialog, { kind: "cancelled", timedOut: true });
    });
    this.#open.add(dialog);
    const { surface } = this.#attachment;
    if (surface !== undefined) this.#present(dialog, surface);
  }

  /** The extension takes a question back. */
  cancel(owner: Extension, id: string): void {
    for (const dialog of [...this.#open]) {
      if (dialog.owner === owner && dialog.wireId === id) this.#settle(dialog, { kind: "cancelled" });
    }
  }

  /** Answers a question that cannot be asked. */
  refuse(owner: Extension, id: string): void {
    owner.connection?.send("extension_ui_response", { id, cancelled: true });
  }

  /** A generation ends. */
  remove(extension: Extension): void {
    for (const dialog of [...this.#open]) {
      if (dialog.owner === extension) this.#settle(dialog, { kind: "cancelled" });
    }
  }

  #present(dialog: OpenDialog, surface: AttachedSurface): void {
    const signal = dialog.present(this.#attention);
    const answered = surface.ask(dialog.view, signal);
    if (answered === "unsupported") {
      this.#settle(dialog, { kind: "cancelled" });
      return;
    }
    answered.then(
      (answer) => this.#answered(dialog, signal, answer),
      (error: unknown) => {
        dialog.owner.diagnostics.add(`the surface could not ask: ${String(error)}`);
        this.#answered(dialog, signal, { kind: "cancelled" });
      },
    );
  }

  /** An answer to a presentation that is over comes too late. */
  #answered(dialog: OpenDialog, signal: AbortSignal, answer: DialogAnswer): void {
    if (signal.aborted || !this.#open.has(dialog)) return;
    const checked = checkAnswer(dialog.view.question, answer);
    if ("fault" in checked)
      dialog.owner.diagnostics.add(`answer to dialog ${dialog.wireId}: ${checked.fault}; cancelled`);
    dialog.answered();
    this.#settle(dialog, "fault" in checked ? { kind: "cancelled" } : checked.answer);
  }

  #settle(dialog: OpenDialog, answer: DialogAnswer): void {
    if (!this.#open.delete(dialog)) return;
    dialog.close(answer);
  }
}
