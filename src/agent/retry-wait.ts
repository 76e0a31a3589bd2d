import { setTimeout as sleep } from "node:timers/promises";

/** How waiting for the next attempt of a request ended. */
export type WaitEnd = "over" | "given_up" | "aborted";

/** The pauses between attempts of a request, for whoever may not want to wait. */
export class RetryWait {
  /** False: a request that failed is not repeated. */
  isEnabled = true;
  #giveUp: AbortController | undefined;

  /** Whether a failed request is about to be repeated. */
  get isWaiting(): boolean {
    return this.#giveUp !== undefined;
  }

  /** Ends the pause; the request counts as failed. Nothing happens when there is none. */
  giveUp(): void {
    this.#giveUp?.abort();
  }

  /** Waits `ms`, unless `signal` aborts or somebody gives up. Never rejects. */
  async wait(ms: number, signal: AbortSignal): Promise<WaitEnd> {
    const giveUp = new AbortController();
    this.#giveUp = giveUp;
    try {
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, giveUp.signal]) });
      return "over";
    } catch {
      // Only the two signals end a sleep early.
      return signal.aborted ? "aborted" : "given_up";
    } finally {
      this.#giveUp = undefined;
    }
  }
}
