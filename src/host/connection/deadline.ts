import { TIMER_MAX_MS } from "../../wire/limits.ts";

/** A timer that can pause: its clock stands still while a human is being asked (architecture.md rule 4). */
export class Deadline implements Disposable {
  readonly #onExpire: () => void;
  #remainingMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;
  #over = false;

  /** @param ms longer ones count as the longest that a timer can have */
  constructor(ms: number, onExpire: () => void) {
    this.#remainingMs = Math.min(ms, TIMER_MAX_MS);
    this.#onExpire = onExpire;
    this.#start();
  }

  /** Stops the clock; pauses nest. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#over) return;
    clearTimeout(this.#timer);
    this.#remainingMs -= performance.now() - this.#startedAt;
  }

  /** Undoes one pause; the clock goes on with what was left. */
  resume(): void {
    if (this.#pauses === 0) return;
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#over) this.#start();
  }

  [Symbol.dispose](): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#over = true;
        this.#onExpire();
      },
      Math.max(0, this.#remainingMs),
    );
  }
}
