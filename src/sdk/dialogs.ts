import { type AskAnswers, type AskQuestion, askedQuestions, readAnswers } from "./ask.ts";
import { SdkError } from "./error.ts";
import type { IncomingFrame, OutgoingFrame } from "./frames.ts";
import { textIn } from "./frames.ts";
import type { HostInfo } from "./host-info.ts";
import { DIALOGS_MAX, TIMER_MAX_MS } from "./limits.ts";
import type { Overflow } from "./outbound.ts";

export interface DialogOptions {
  /** Gives up after this many ms, as if the user had cancelled. */
  readonly timeoutMs?: number;
  /** Takes the question back; for example the `signal` of the tool call that asks. */
  readonly signal?: AbortSignal;
}

export interface SelectOption {
  readonly label: string;
  readonly description?: string;
}

/** A page that a human should visit. */
export interface PageOptions {
  /** A short redirect to the page, the better one to copy. */
  readonly launchUrl?: string;
  /** What to do there. */
  readonly instructions?: string;
}

/** What an author can ask, and do to the screen besides. */
export type Ui = Pick<
  Dialogs,
  "select" | "confirm" | "input" | "editor" | "ask" | "openUrl" | "setTitle" | "setEditorText"
>;

type Answer = Readonly<Record<string, unknown>>;

const CANCELLED: Answer = { cancelled: true };

/**
 * Questions to the user, drawn by the host (feature `ui`). Each gives undefined, or false, when the user cancels, when
 * nobody is there to ask, and when time is up. All throw `SdkError` "unsupported" on a host without the feature.
 * `openUrl`, `setTitle` and `setEditorText` ask nothing: they do what they can and give no answer.
 */
export class Dialogs {
  readonly #open = new Map<string, (answer: Answer) => void>();
  readonly #send: (frame: OutgoingFrame, overflow: Overflow) => void;
  readonly #host: () => HostInfo;
  #count = 0;

  constructor(send: (frame: OutgoingFrame, overflow: Overflow) => void, host: () => HostInfo) {
    this.#send = send;
    this.#host = host;
  }

  /** One of `options`; gives its label. */
  async select(
    title: string,
    options: readonly (string | SelectOption)[],
    limits: DialogOptions = {},
  ): Promise<string | undefined> {
    const choices = options.map((option) => (typeof option === "string" ? { label: option } : option));
    const described = choices.some((choice) => choice.description !== undefined);
    const fields = {
      title,
      options: choices.map((choice) => choice.label),
      optionDetails: described ? choices.map(({ description }) => ({ description })) : undefined,
    };
    return valueIn(await this.#ask("select", fields, limits));
  }

  /** Yes or no. */
  async confirm(title: string, message: string, limits: DialogOptions = {}): Promise<boolean> {
    return (await this.#ask("confirm", { title, message }, limits))["confirmed"] === true;
  }

  /** One line of text, `""` included. `secret` hides what is typed. */
  async input(
    title: string,
    {
      placeholder,
      secret,
      ...limits
    }: DialogOptions & { readonly placeholder?: string; readonly secret?: boolean } = {},
  ): Promise<string | undefined> {
    return valueIn(await this.#ask("input", { title, placeholder, secret }, limits));
  }

  /** Text of many lines, starting from `prefill`. */
  async editor(
    title: string,
    { prefill, ...limits }: DialogOptions & { readonly prefill?: string } = {},
  ): Promise<string | undefined> {
    return valueIn(await this.#ask("editor", { title, prefill }, limits));
  }

  /**
   * Several questions in one dialog; gives the answers by the ids of the questions: `answers.colour.selectedOptions`.
   * Ids that are written as literals become the names of the result's type.
   */
  async ask<const Q extends readonly AskQuestion[]>(
    questions: Q,
    limits: DialogOptions = {},
  ): Promise<AskAnswers<Q> | undefined> {
    const answer = await this.#ask("ask", { questions: askedQuestions(questions) }, limits);
    return readAnswers(questions, answer["answers"]);
  }

  /** Shows a web page to the user: opens it, or says where it is. Throws `SdkError` "usage" for anything but http(s). */
  openUrl(url: string | URL, { launchUrl, instructions }: PageOptions = {}): void {
    for (const page of [url, launchUrl ?? url]) {
      if (!/^https?:/i.test(String(page))) throw new SdkError("usage", `openUrl: ${String(page)} is no http(s) page`);
    }
    this.#tell("open_url", { url: String(url), launchUrl, instructions });
  }

  /** The title of the terminal window. */
  setTitle(title: string): void {
    this.#tell("setTitle", { title });
  }

  /** Puts `text` in place of what is in the editor, unsent. */
  setEditorText(text: string): void {
    this.#tell("set_editor_text", { text });
  }

  /** Hands an `extension_ui_response` to the question it answers; late and unknown ones are nobody's. */
  answer(frame: IncomingFrame): void {
    this.#open.get(textIn(frame, "id"))?.(frame);
  }

  /** The host is gone: every question counts as cancelled. */
  close(): void {
    for (const settle of [...this.#open.values()]) settle(CANCELLED);
  }

  async #ask(method: string, fields: Answer, { timeoutMs, signal }: DialogOptions): Promise<Answer> {
    this.#require(method);
    if (signal?.aborted === true) return CANCELLED;
    if (this.#open.size >= DIALOGS_MAX) throw new SdkError("too_many", `${DIALOGS_MAX} dialogs are open already`);
    const id = this.#nextId();
    const answered = new Promise<Answer>((resolve) => this.#open.set(id, resolve));
    const takeBack = (): void => {
      this.#send({ type: "extension_ui_request", id: this.#nextId(), method: "cancel", targetId: id }, "keep");
      this.#open.get(id)?.(CANCELLED);
    };
    // A timer with a longer delay, Infinity for example, would go off at once.
    const timer = timeoutMs === undefined || timeoutMs > TIMER_MAX_MS ? undefined : setTimeout(takeBack, timeoutMs);
    signal?.addEventListener("abort", takeBack, { once: true });
    try {
      this.#send({ type: "extension_ui_request", id, method, ...fields, timeout: timeoutMs }, "keep");
      return await answered;
    } finally {
      this.#open.delete(id);
      clearTimeout(timer);
      signal?.removeEventListener("abort", takeBack);
    }
  }

  #tell(method: string, fields: Answer): void {
    this.#require(method);
    this.#send({ type: "extension_ui_request", id: this.#nextId(), method, ...fields }, "drop");
  }

  #require(method: string): void {
    if (this.#host().features.includes("ui")) return;
    throw new SdkError("unsupported", `this host shows no dialogs (${method}); ask with a panel or do without`);
  }

  #nextId(): string {
    this.#count += 1;
    return `u${this.#count}`;
  }
}

function valueIn(answer: Answer): string | undefined {
  const value = answer["value"];
  return typeof value === "string" ? value : undefined;
}
