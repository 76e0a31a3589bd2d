import type { Timers } from "../../src/host/connection/timers.ts";

interface Timer {
  readonly due: number;
  expire(): void;
}

/** A clock that stands still until a test moves it: a deadline of a minute costs a test nothing, and is exact. */
export class ManualTimers implements Timers {
  readonly #timers = new Set<Timer>();
  #now = 0;

  now(): number {
    return this.#now;
  }

  /** How many timers run. */
  get running(): number {
    return this.#timers.size;
  }

  start(ms: number, expire: () => void): Disposable {
    const timer: Timer = { due: this.#now + ms, expire };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => this.#timers.delete(timer) };
  }

  /** Lets `ms` go by; what is due meanwhile expires in its order. */
  pass(ms: number): void {
    const end = this.#now + ms;
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#timers.delete(next);
      this.#now = next.due;
      next.expire();
    }
    this.#now = end;
  }

  /** The earliest timer that is due by `end`. */
  #next(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end);
    return due.sort((a, b) => a.due - b.due)[0];
  }
}
