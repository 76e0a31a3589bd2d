/** Why nothing more can be written. */
export type OutputEnd = "reader_gone" | { readonly error: string };

/**
 * stdout of a headless run. Text goes out in order and is never split; a reader that leaves (`zot … | head`) ends the
 * run quietly, a disk that is full ends it with an error. Never throws.
 */
export class Output {
  readonly #sink = Bun.stdout.writer();
  readonly #onEnd: (end: OutputEnd) => void;
  #waiting: Promise<void> | undefined;
  #ended = false;

  /** @param onEnd called at most once, when the other end is gone or broken */
  constructor(onEnd: (end: OutputEnd) => void) {
    this.#onEnd = onEnd;
  }

  write(text: string): void {
    if (this.#ended || text === "") return;
    try {
      this.#sink.write(text.toWellFormed());
      this.#wait(this.#sink.flush());
    } catch (error) {
      this.#end(error);
    }
  }

  /** Resolves when the reader has taken what was written; undefined when it has. */
  drained(): Promise<void> | undefined {
    return this.#waiting;
  }

  #wait(flushed: number | Promise<number>): void {
    if (!(flushed instanceof Promise)) return;
    const waiting: Promise<void> = flushed.then(
      () => undefined,
      (error: unknown) => this.#end(error),
    );
    this.#waiting = waiting.finally(() => {
      if (this.#waiting === settled) this.#waiting = undefined;
    });
    const settled = this.#waiting;
  }

  #end(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EPIPE" || code === "ECONNRESET") this.#onEnd("reader_gone");
    else this.#onEnd({ error: error instanceof Error ? error.message : String(error) });
  }
}
