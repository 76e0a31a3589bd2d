import { TIMER_MAX_MS } from "../../wire/limits.ts";
import { systemTimers, type Timers } from "./timers.ts";

/** A timer that can pause: its clock stands still while a human is being asked (architecture.md rule 4). */
export class Deadline implements Disposable {
  readonly #onExpire: () => void;
  readonly #timers: Timers;
  #remainingMs: number;
  #startedAt = 0;
  #timer: Disposable | undefined;
  #pauses = 0;
  #over = false;

  /** @param ms longer ones count as the longest that a timer can have */
  constructor(ms: number, onExpire: () => void, timers = systemTimers) {
    this.#remainingMs = Math.min(ms, TIMER_MAX_MS);
    this.#onExpire = onExpire;
    this.#timers = timers;
    this.#start();
  }

  /** Stops the clock; pauses nest. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1 || this.#over) return;
    this.#timer?.[Symbol.dispose]();
    this.#remainingMs -= this.#timers.now() - this.#startedAt;
  }

  /** Undoes one pause; the clock goes on with what was left. */
  resume(): void {
    if (this.#pauses === 0) return;
    this.#pauses -= 1;
    if (this.#pauses === 0 && !this.#over) this.#start();
  }

  [Symbol.dispose](): void {
    this.#over = true;
    this.#timer?.[Symbol.dispose]();
  }

  #start(): void {
    this.#startedAt = this.#timers.now();
    this.#timer = this.#timers.start(Math.max(0, this.#remainingMs), () => {
      this.#over = true;
      this.#onExpire();
    });
  }
}
