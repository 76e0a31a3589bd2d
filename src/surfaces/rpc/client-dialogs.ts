import { randomBytes } from "node:crypto";
import type { DialogAnswer, Question } from "../../host/dialog.ts";
import { askFallback } from "./ask-fallback.ts";
import { answerOf, questionFields } from "./dialog-frames.ts";

export interface AskOptions {
  /** Aborts when nobody waits for the answer any more; the client is told to close the dialog. */
  readonly signal: AbortSignal;
  /** ms, for the client's countdown; the asker ends the dialog itself. */
  readonly timeoutMs?: number | undefined;
  /** Extension that asks; undefined for a question of our own. */
  readonly owner?: string | undefined;
}

/** Takes one frame for the client; false when it is too long to be sent whole, and so was not sent. */
export type SendFrame = (type: string, fields: Readonly<Record<string, unknown>>) => boolean;

interface Open {
  readonly question: Question;
  readonly owner: string | undefined;
  readonly finish: (answer: DialogAnswer) => void;
}

const CANCELLED: DialogAnswer = { kind: "cancelled" };

/**
 * Dialogs as `extension_ui_request` frames and their answers (rpc-wire.md §3.3). Several may be open and are answered
 * in any order; the first answer counts, later ones and those to nothing are ignored. Times run on the asker's side.
 */
export class ClientDialogs {
  /** Whether the client draws all questions of an `ask` in one dialog (§3.3.3). */
  drawsAsk = false;
  readonly #send: SendFrame;
  readonly #open = new Map<string, Open>();
  #gone = false;

  /** @param send takes one frame, at any time */
  constructor(send: SendFrame) {
    this.#send = send;
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  /** Asks; resolves with the answer, or as cancelled when `signal` aborts or the client goes. Never rejects. */
  ask(question: Question, options: AskOptions): Promise<DialogAnswer> {
    if (question.kind === "ask" && !this.drawsAsk) {
      return askFallback(question.questions, (plain) => this.#request(plain, options));
    }
    return this.#request(question, options);
  }

  /** Shows something that needs no answer. */
  tell(method: string, fields: Readonly<Record<string, unknown>>): void {
    this.#send("extension_ui_request", { id: requestId(), method, ...fields });
  }

  /**
   * Takes an `extension_ui_response`. False when its shape is none; true also when nobody waits for it.
   */
  answer(fields: Readonly<Record<string, unknown>>): boolean {
    const { id } = fields;
    if (typeof id !== "string") return false;
    const open = this.#open.get(id);
    if (open !== undefined) open.finish(answerOf(open.question, fields));
    return true;
  }

  /** Closes open dialogs that `matches` says no more to, by their owners. */
  cancel(matches: (owner: string | undefined) => boolean): void {
    for (const [id, open] of [...this.#open]) {
      if (!matches(open.owner)) continue;
      open.finish(CANCELLED);
      this.tell("cancel", { targetId: id });
    }
  }

  /** The client is gone: what is open and what comes later is cancelled at once. */
  clientGone(): void {
    this.#gone = true;
    for (const open of [...this.#open.values()]) open.finish(CANCELLED);
  }

  #request(question: Question, { signal, timeoutMs, owner }: AskOptions): Promise<DialogAnswer> {
    if (this.#gone || signal.aborted) return Promise.resolve(CANCELLED);
    const id = requestId();
    return new Promise((resolve) => {
      const onAbort = (): void => {
        finish(CANCELLED);
        this.tell("cancel", { targetId: id });
      };
      const finish = (answer: DialogAnswer): void => {
        if (!this.#open.delete(id)) return;
        signal.removeEventListener("abort", onAbort);
        resolve(answer);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#open.set(id, { question, owner, finish });
      const timeout = timeoutMs === undefined ? undefined : Math.ceil(timeoutMs);
      const isSent = this.#send("extension_ui_request", { id, ...questionFields(question), timeout });
      // Half a question would get an answer to another one.
      if (!isSent) finish(CANCELLED);
    });
  }
}

/** 16 hexadecimal digits: opaque, and of no meaning to a client (§1.3). */
export function requestId(): string {
  return randomBytes(8).toString("hex");
}
