import { LOG_CHECK_MS } from "../../wire/limits.ts";

/** Looks at every open log now and then: one timer for all of them, none when there are none. */
class LogWatch {
  readonly #looks = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  /** Calls `look` every `LOG_CHECK_MS` until it is disposed. It must not throw, and does not keep the process alive. */
  add(look: () => void): Disposable {
    this.#looks.add(look);
    this.#timer ??= setInterval(() => this.#lookAtAll(), LOG_CHECK_MS).unref();
    return {
      [Symbol.dispose]: () => {
        this.#looks.delete(look);
        if (this.#looks.size > 0) return;
        clearInterval(this.#timer);
        this.#timer = undefined;
      },
    };
  }

  #lookAtAll(): void {
    for (const look of this.#looks) look();
  }
}

/** One for the whole process: every host has its extensions' logs in it. */
export const logWatch = new LogWatch();
