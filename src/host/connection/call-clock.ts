import { Deadline } from "./deadline.ts";
import { systemTimers, type Timers } from "./timers.ts";

/**
 * The time that the calls of one extension are measured in. It stands still while somebody holds it, which is what
 * happens while that extension's panel or dialog waits for a human (extension-host.md §4.2 [REQ]).
 */
export class CallClock {
  readonly #timers: Timers;
  readonly #running = new Set<Deadline>();
  #holds = 0;

  constructor(timers = systemTimers) {
    this.#timers = timers;
  }

  /** Calls `onExpire` after `ms` of this clock's time; dispose it once the call has ended. */
  deadline(ms: number, onExpire: () => void): Disposable {
    const deadline = new Deadline(ms, onExpire, this.#timers);
    this.#running.add(deadline);
    if (this.#holds > 0) deadline.pause();
    return {
      [Symbol.dispose]: () => {
        this.#running.delete(deadline);
        deadline[Symbol.dispose]();
      },
    };
  }

  /** Stops the clock until the last hold is disposed. */
  hold(): Disposable {
    this.#holds += 1;
    if (this.#holds === 1) for (const deadline of this.#running) deadline.pause();
    let released = false;
    return {
      [Symbol.dispose]: () => {
        if (released) return;
        released = true;
        this.#holds -= 1;
        if (this.#holds === 0) for (const deadline of this.#running) deadline.resume();
      },
    };
  }
}
