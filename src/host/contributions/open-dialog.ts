import type { UiResponse } from "../../wire/frames.ts";
import { TIMER_MAX_MS } from "../../wire/limits.ts";
import type { Dialog, DialogAnswer, Question } from "../dialog.ts";
import type { Extension } from "../extension.ts";
import { ownerOf } from "../owner.ts";
import type { Attention } from "./attention.ts";

interface Asked {
  readonly id: string;
  readonly question: Question;
  readonly timeoutMs: number | undefined;
}

/** One dialog from its question to its answer; shown by at most one surface at a time. */
export class OpenDialog {
  readonly owner: Extension;
  /** The extension's own id, unique within it only. */
  readonly wireId: string;
  readonly #asked: Asked;
  readonly #expiresAt: number | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #shown: { readonly signal: AbortController; readonly hold: Disposable } | undefined;

  constructor(owner: Extension, wireId: string, asked: Asked, onTimeout: () => void) {
    this.owner = owner;
    this.wireId = wireId;
    this.#asked = asked;
    if (asked.timeoutMs === undefined) return;
    const ms = Math.min(asked.timeoutMs, TIMER_MAX_MS);
    this.#expiresAt = performance.now() + ms;
    this.#timer = setTimeout(onTimeout, ms);
  }

  /** As a surface sees it now. */
  get view(): Dialog {
    const { id, question } = this.#asked;
    const left = this.#expiresAt === undefined ? undefined : Math.max(0, this.#expiresAt - performance.now());
    return { ...ownerOf(this.owner), id, question, ...(left === undefined ? {} : { timeoutMs: left }) };
  }

  /** A surface asks from now on, and the owner waits for a human; the signal says when that is over. */
  present(attention: Attention): AbortSignal {
    this.withdraw();
    this.#shown = { signal: new AbortController(), hold: attention.hold(this.owner) };
    return this.#shown.signal.signal;
  }

  /** Takes it off the surface; it stays open. */
  withdraw(): void {
    const shown = this.#shown;
    this.answered();
    shown?.signal.abort();
  }

  /** The surface has answered, so it needs no sign that the dialog is over. */
  answered(): void {
    this.#shown?.hold[Symbol.dispose]();
    this.#shown = undefined;
  }

  /** Ends it, with one frame to the owner. */
  close(answer: DialogAnswer): void {
    clearTimeout(this.#timer);
    this.withdraw();
    const { connection } = this.owner;
    const id = this.wireId;
    if (connection?.send("extension_ui_response", { id, ...responseOf(answer) }) !== "too_long") return;
    this.owner.diagnostics.add(`the answer to dialog ${id} exceeds the frame limit; cancelled`);
    connection.send("extension_ui_response", { id, cancelled: true });
  }
}

function responseOf(answer: DialogAnswer): UiResponse {
  switch (answer.kind) {
    case "value":
      return { value: answer.value };
    case "confirmed":
      return { confirmed: answer.confirmed };
    case "answers":
      return { answers: answer.answers };
    case "cancelled":
      return answer.timedOut === true ? { cancelled: true, timedOut: true } : { cancelled: true };
  }
}
