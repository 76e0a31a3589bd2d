import { STATE_MAX_BYTES } from "./limits.ts";
import { logLine } from "./log.ts";
import type { FromSchema, JsonSchema } from "./schema.ts";
import type { ContentBlock, ToolResult } from "./tool-result.ts";
import { isValid } from "./validate.ts";

export interface StateOptions<S extends JsonSchema> {
  /** What may be stored, written as a literal so that the type of `value` follows from it. */
  readonly schema: S;
  /** What counts on a branch where nothing is stored yet, or something that does not fit `schema`. */
  readonly initial: FromSchema<S>;
}

/**
 * What the extension keeps with the conversation (protocol 2, extension-host.md §4.2 `details`). It follows the
 * conversation: another session, a fork or a resumed one brings its own value. Only the result of a tool can change it.
 */
export class SessionState<T> {
  readonly #accepts: (value: unknown, faults: string[]) => value is T;
  readonly #initial: T;
  readonly #handlers: ((value: T) => unknown)[] = [];
  #value: T;
  /** `#value` as JSON, to tell a change. */
  #text: string;

  constructor(initial: T, accepts: (value: unknown, faults: string[]) => value is T) {
    this.#accepts = accepts;
    this.#initial = initial;
    this.#value = initial;
    this.#text = JSON.stringify(initial);
  }

  /** Of the conversation that is open. Do not change it in place. */
  get value(): T {
    return this.#value;
  }

  /** Runs when `value` is another one: behind the result that changed it, and when another conversation opens. */
  onChange(handler: (value: T) => unknown): void {
    this.#handlers.push(handler);
  }

  /** The result of a tool that says `content` and stores `next`. */
  storing(next: T, content: string | readonly ContentBlock[]): ToolResult {
    return { content, details: next };
  }

  /**
   * Takes over what the host has stored, undefined for nothing. Gives what the handlers of a change are doing; a throw
   * is a rejection.
   */
  load(stored: unknown): readonly Promise<unknown>[] {
    const faults: string[] = [];
    if (stored === undefined || stored === null) return this.#become(this.#initial);
    if (this.#accepts(stored, faults)) return this.#become(stored);
    logLine(`the stored state does not fit its schema, starting over: ${faults.join("; ")}`);
    return this.#become(this.#initial);
  }

  /** A result with these `details` has gone out. Like `load`, with what the host makes of them. */
  stored(details: unknown): readonly Promise<unknown>[] {
    const text: string | undefined = JSON.stringify(details);
    // A function, for example: it was left out of the result, too.
    if (text === undefined) return [];
    if (isTooLarge(text)) {
      // The host keeps the state before it, and tells the model.
      logLine(`a state of more than ${STATE_MAX_BYTES} bytes is not stored`);
      return [];
    }
    // A copy: the author's object may change, and what comes back after a restart is what JSON made of it.
    return this.load(JSON.parse(text));
  }

  #become(value: T): readonly Promise<unknown>[] {
    const text = JSON.stringify(value);
    if (text === this.#text) return [];
    this.#text = text;
    this.#value = value;
    return this.#handlers.map(async (handler) => await handler(value));
  }
}

/** A state whose type follows from `schema`. */
export function sessionState<const S extends JsonSchema>({
  schema,
  initial,
}: StateOptions<S>): SessionState<FromSchema<S>> {
  return new SessionState(initial, (value, faults): value is FromSchema<S> => isValid(schema, value, faults, "state"));
}

function isTooLarge(text: string): boolean {
  return text.length * 3 > STATE_MAX_BYTES && Buffer.byteLength(text) > STATE_MAX_BYTES;
}
