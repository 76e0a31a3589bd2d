import { isatty } from "node:tty";
import { plainText } from "./plain-text.ts";

/** Why nothing more can be written. */
export type OutputEnd = "reader_gone" | { readonly error: string };

/**
 * stdout of a headless run. Text goes out in order and is never split; a reader that leaves (`zot … | head`) ends the
 * run quietly, a disk that is full ends it with an error. On a terminal nothing but plain text goes out: what models and
 * extensions say is hostile there (architecture.md rule 7). Never throws.
 */
export class Output {
  readonly #sink = Bun.stdout.writer();
  readonly #isTerminal = isatty(1);
  readonly #onEnd: (end: OutputEnd) => void;
  #pending: Promise<number> | undefined;
  #waiting: Promise<void> | undefined;
  #ended = false;

  /** @param onEnd called at most once, when the other end is gone or broken */
  constructor(onEnd: (end: OutputEnd) => void) {
    this.#onEnd = onEnd;
  }

  write(text: string): void {
    if (this.#ended || text === "") return;
    try {
      this.#wait(this.#sink.write(this.#isTerminal ? plainText(text) : text.toWellFormed()));
      this.#wait(this.#sink.flush());
    } catch (error) {
      this.#end(error);
    }
  }

  /** Resolves when the reader has taken what was written; undefined when it has. */
  drained(): Promise<void> | undefined {
    return this.#waiting;
  }

  /** Both calls may give the same promise again and again; every new one is followed to its end. */
  #wait(result: number | Promise<number>): void {
    if (!(result instanceof Promise) || result === this.#pending) return;
    this.#pending = result;
    this.#waiting = result.then(
      () => this.#caughtUp(result),
      (error: unknown) => this.#end(error),
    );
  }

  #caughtUp(result: Promise<number>): void {
    if (this.#pending !== result) return;
    this.#pending = undefined;
    this.#waiting = undefined;
  }

  #end(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EPIPE" || code === "ECONNRESET") this.#onEnd("reader_gone");
    else this.#onEnd({ error: error instanceof Error ? error.message : String(error) });
  }
}
