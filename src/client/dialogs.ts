import { type Fields, isFields } from "./frames.ts";

export interface SelectOption {
  readonly label: string;
  readonly description?: string;
}

export interface AskQuestion {
  readonly id: string;
  readonly question: string;
  readonly header?: string;
  readonly options: readonly SelectOption[];
  readonly multi: boolean;
  /** Index of the option that is recommended. */
  readonly recommended?: number;
}

export interface AskAnswer {
  readonly id: string;
  readonly selectedOptions: readonly string[];
  readonly customInput?: string;
}

/** What every dialog comes with. `signal` aborts when zot wants it closed; an answer after that counts for nothing. */
export interface DialogContext {
  readonly signal: AbortSignal;
  /** ms that are left for the answer; zot closes the dialog by itself. */
  readonly timeoutMs?: number;
}

type Answer<T> = T | undefined | Promise<T | undefined>;

/** Questions of zot to its user. undefined, or a handler that is not there, means that the user does not answer. */
export interface DialogHandlers {
  select?(
    dialog: { readonly title: string; readonly options: readonly SelectOption[] },
    context: DialogContext,
  ): Answer<string>;
  confirm?(dialog: { readonly title: string; readonly message: string }, context: DialogContext): Answer<boolean>;
  input?(
    dialog: { readonly title: string; readonly placeholder?: string; readonly secret: boolean },
    context: DialogContext,
  ): Answer<string>;
  editor?(dialog: { readonly title: string; readonly prefill: string }, context: DialogContext): Answer<string>;
  /** All questions of a kind in one dialog; without this handler they come one by one through the others. */
  ask?(questions: readonly AskQuestion[], context: DialogContext): Answer<readonly AskAnswer[]>;
}

const CANCELLED = { cancelled: true };

/** Lets the handlers answer `extension_ui_request`s. What needs no answer is an event like any other. */
export class Dialogs {
  readonly #handlers: DialogHandlers;
  readonly #send: (frame: Fields) => void;
  readonly #onError: (error: unknown) => void;
  readonly #open = new Map<string, AbortController>();

  /** @param onError told what a handler throws; its question counts as not answered */
  constructor(handlers: DialogHandlers, send: (frame: Fields) => void, onError: (error: unknown) => void) {
    this.#handlers = handlers;
    this.#onError = onError;
    this.#send = send;
  }

  /** Takes one request; false when it is none that is answered. */
  take(request: Fields): boolean {
    const { id, method, targetId, timeout } = request;
    if (method === "cancel") this.#open.get(String(targetId))?.abort();
    const question = QUESTIONS[String(method)];
    if (question === undefined || typeof id !== "string") return false;
    const abort = new AbortController();
    this.#open.set(id, abort);
    const context = { signal: abort.signal, ...(typeof timeout === "number" ? { timeoutMs: timeout } : {}) };
    void this.#answer(id, () => question(this.#handlers, request, context), abort.signal);
    return true;
  }

  /** zot is gone. */
  close(): void {
    for (const abort of this.#open.values()) abort.abort();
  }

  async #answer(id: string, ask: () => Promise<Fields | undefined>, signal: AbortSignal): Promise<void> {
    let answer: Fields = CANCELLED;
    try {
      answer = (await ask()) ?? CANCELLED;
    } catch (error) {
      this.#onError(error);
    }
    this.#open.delete(id);
    if (!signal.aborted) this.#send({ type: "extension_ui_response", id, ...answer });
  }
}

type Question = (handlers: DialogHandlers, request: Fields, context: DialogContext) => Promise<Fields | undefined>;

const QUESTIONS: Readonly<Record<string, Question | undefined>> = {
  select: async (handlers, request, context) => {
    const { title, options, optionDetails } = request;
    const details = Array.isArray(optionDetails) ? optionDetails : [];
    const choices = texts(options).map((label, index) => ({ label, ...described(details[index]) }));
    return valued(await handlers.select?.({ title: text(title), options: choices }, context));
  },
  confirm: async (handlers, { title, message }, context) => {
    const confirmed = await handlers.confirm?.({ title: text(title), message: text(message) }, context);
    return confirmed === undefined ? undefined : { confirmed };
  },
  input: async (handlers, { title, placeholder, secret }, context) => {
    const hint = typeof placeholder === "string" ? { placeholder } : {};
    return valued(await handlers.input?.({ title: text(title), ...hint, secret: secret === true }, context));
  },
  editor: async (handlers, { title, prefill }, context) => {
    return valued(await handlers.editor?.({ title: text(title), prefill: text(prefill) }, context));
  },
  ask: async (handlers, { questions }, context) => {
    const answers = await handlers.ask?.(Array.isArray(questions) ? questions.map(questionOf) : [], context);
    return answers === undefined ? undefined : { answers };
  },
};

function questionOf(value: unknown): AskQuestion {
  const { id, question, header, options, multi, recommended } = isFields(value) ? value : {};
  const choices = Array.isArray(options) ? options.filter(isFields) : [];
  return {
    id: text(id),
    question: text(question),
    options: choices.map((option) => ({ label: text(option["label"]), ...described(option) })),
    multi: multi === true,
    ...(typeof header === "string" ? { header } : {}),
    ...(typeof recommended === "number" ? { recommended } : {}),
  };
}

function valued(value: string | undefined): Fields | undefined {
  return value === undefined ? undefined : { value };
}

function described(value: unknown): { readonly description?: string } {
  const description = isFields(value) ? value["description"] : undefined;
  return typeof description === "string" ? { description } : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(text) : [];
}
