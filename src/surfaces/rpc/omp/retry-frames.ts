import type { AgentEvent } from "../../../agent/events.ts";
import type { EventGate } from "./event-gate.ts";

type Scheduled = Extract<AgentEvent, { type: "retry_scheduled" }>;

/** Repeated requests as `auto_retry_start` and `auto_retry_end` (rpc-wire.md §4): one end for each series of them. */
export class RetryFrames {
  readonly #gate: EventGate;
  #attempt = 0;
  #isWaiting = false;
  #finalError = "";

  constructor(gate: EventGate) {
    this.#gate = gate;
  }

  /** A repetition was announced and has not begun. */
  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  scheduled({ attempt, maxAttempts, delayMs, reason }: Scheduled): void {
    // The engine counts requests, the wire repetitions.
    this.#attempt = attempt - 1;
    this.#isWaiting = true;
    this.#finalError = "Retry cancelled";
    this.#gate.emit("auto_retry_start", {
      attempt: this.#attempt,
      maxAttempts: maxAttempts - 1,
      delayMs: Math.round(delayMs),
      errorMessage: reason,
    });
  }

  requested(): void {
    this.#isWaiting = false;
  }

  /** A request failed; whether for good is not known yet. */
  failed(error: string): void {
    if (!this.#isWaiting) this.#finalError = error;
  }

  succeeded(): void {
    this.#end({ success: true, attempt: this.#attempt });
  }

  /** The run is over. */
  over(): void {
    this.#end({ success: false, attempt: this.#attempt, finalError: this.#finalError });
  }

  #end(fields: Readonly<Record<string, unknown>>): void {
    if (this.#attempt > 0) this.#gate.emit("auto_retry_end", fields);
    this.#attempt = 0;
    this.#isWaiting = false;
  }
}
