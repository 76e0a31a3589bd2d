import type { InboundFrame } from "../../wire/frames.ts";
import type { CallClock } from "./call-clock.ts";

/** How a call to an extension ended; exactly one of these for every call. */
export type CallEnd =
  | { readonly kind: "answer"; readonly frame: InboundFrame; readonly line: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "disconnected" };

/** What may come back. */
export interface Reply {
  /** Type of the frame that ends the call. */
  readonly answer: string;
  /** Type of the frames that may come before it, any number of times. */
  readonly update: string | undefined;
}

export interface CallLimits {
  /**
   * ms on the extension's own clock, which stands still while a human is being asked; absent: no deadline. It starts
   * when the frame is queued, so a blocked pipe cannot stretch it.
   */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** Told of every update that comes before the answer, where the request has updates. */
  readonly onUpdate?: (frame: InboundFrame) => void;
}

interface Call {
  readonly reply: Reply;
  readonly onUpdate: CallLimits["onUpdate"];
  readonly finish: (end: CallEnd) => void;
}

/** The calls in flight on one connection, each answered, timed out, cancelled or cut off once (§4.2, defect 18). */
export class PendingCalls {
  readonly #clock: CallClock;
  readonly #calls = new Map<string, Call>();
  #closed = false;

  constructor(clock: CallClock) {
    this.#clock = clock;
  }

  /** Waits for the end of call `id`. */
  wait(id: string, reply: Reply, { deadlineMs, signal, onUpdate }: CallLimits): Promise<CallEnd> {
    if (this.#closed) return Promise.resolve({ kind: "disconnected" });
    if (signal?.aborted) return Promise.resolve({ kind: "cancelled" });
    return new Promise((resolve) => {
      const abort = (): void => finish({ kind: "cancelled" });
      const deadline =
        deadlineMs === undefined ? undefined : this.#clock.deadline(deadlineMs, () => finish({ kind: "timeout" }));
      const finish = (end: CallEnd): void => {
        if (!this.#calls.delete(id)) return;
        deadline?.[Symbol.dispose]();
        signal?.removeEventListener("abort", abort);
        resolve(end);
      };
      this.#calls.set(id, { reply, onUpdate, finish });
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** Hands a frame to the call it belongs to; false when nobody waits for it: late, repeated, foreign or made up. */
  take(id: string, frame: InboundFrame, line: string): boolean {
    const call = this.#calls.get(id);
    if (call === undefined) return false;
    if (frame.type === call.reply.answer) {
      call.finish({ kind: "answer", frame, line });
      return true;
    }
    if (frame.type !== call.reply.update) return false;
    call.onUpdate?.(frame);
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
