import type { InboundFrame } from "../../wire/frames.ts";
import { Deadline } from "./deadline.ts";

/** How a call to an extension ended; exactly one of these for every call. */
export type CallEnd =
  | { readonly kind: "answer"; readonly frame: InboundFrame; readonly line: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "disconnected" };

interface Call {
  readonly answerType: string;
  readonly finish: (end: CallEnd) => void;
}

/** The calls in flight on one connection, each answered, timed out, cancelled or cut off once (§4.2, defect 18). */
export class PendingCalls {
  readonly #calls = new Map<string, Call>();
  #closed = false;

  /**
   * Waits for the answer to call `id`, a frame of type `answerType`.
   * @param deadlineMs absent: no deadline
   */
  wait(id: string, answerType: string, deadlineMs: number | undefined, signal?: AbortSignal): Promise<CallEnd> {
    if (this.#closed) return Promise.resolve({ kind: "disconnected" });
    if (signal?.aborted) return Promise.resolve({ kind: "cancelled" });
    return new Promise((resolve) => {
      const abort = (): void => finish({ kind: "cancelled" });
      const deadline =
        deadlineMs === undefined ? undefined : new Deadline(deadlineMs, () => finish({ kind: "timeout" }));
      const finish = (end: CallEnd): void => {
        if (!this.#calls.delete(id)) return;
        deadline?.[Symbol.dispose]();
        signal?.removeEventListener("abort", abort);
        resolve(end);
      };
      this.#calls.set(id, { answerType, finish });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Hands an answer to its call; false when nobody waits for it: late, repeated, foreign or made up. */
  answer(id: string, frame: InboundFrame, line: string): boolean {
    const call = this.#calls.get(id);
    if (call === undefined || call.answerType !== frame.type) return false;
    call.finish({ kind: "answer", frame, line });
    return true;
  }

  /** Ends a call whose request never left. */
  abandon(id: string): void {
    this.#calls.get(id)?.finish({ kind: "disconnected" });
  }

  /** Ends every call; later ones end at once. */
  disconnect(): void {
    this.#closed = true;
    for (const call of [...this.#calls.values()]) call.finish({ kind: "disconnected" });
  }
}
