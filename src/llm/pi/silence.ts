/** Silence, in ms, after which a connection counts as dead; the longest pauses of thinking models stay well below. */
export const IDLE_TIMEOUT_MS = 5 * 60 * 1000;

/** Calls `onSilence` when one wait lasts longer than it may. One wait at a time. */
export class SilenceWatch {
  readonly #limitMs: () => number;
  readonly #onSilence: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** ms of the silence that was not waited out; undefined as long as none was. */
  brokenAfterMs: number | undefined;

  /** @param limitMs asked at the start of every wait, for the limit changes with the state of the answer */
  constructor(limitMs: () => number, onSilence: () => void) {
    this.#limitMs = limitMs;
    this.#onSilence = onSilence;
  }

  /** Waits for `work`, which `onSilence` is expected to break off, at most `limit` ms. */
  async during<T>(work: () => Promise<T>, limit = this.#limitMs()): Promise<T> {
    this.stop();
    this.#timer = setTimeout(() => {
      this.brokenAfterMs = limit;
      this.#onSilence();
    }, limit);
    try {
      return await work();
    } finally {
      this.stop();
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
