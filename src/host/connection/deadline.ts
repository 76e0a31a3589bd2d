/** A timer that can pause: its clock stands still while a human is being asked (architecture.md rule 4). */
export class Deadline implements Disposable {
  readonly #onExpire: () => void;
  #remainingMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(ms: number, onExpire: () => void) {
    this.#remainingMs = ms;
    this.#onExpire = onExpire;
    this.#start();
  }

  /** Stops the clock; pauses nest. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    clearTimeout(this.#timer);
    this.#remainingMs -= performance.now() - this.#startedAt;
  }

  resume(): void {
    if (this.#pauses === 0) return;
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#start();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onExpire, Math.max(0, this.#remainingMs));
  }
}
