import { requestId } from "../client-dialogs.ts";

export interface HostCallOptions {
  readonly signal: AbortSignal;
  /** Sends the request; false when it is too long to be sent. */
  readonly send: (id: string) => boolean;
  /** Tells the client that nobody waits any more. */
  readonly cancel: (fields: { readonly id: string; readonly targetId: string }) => void;
}

/** How a request to the client ended; `answer` is what came back. */
export type HostCallEnd<T> =
  | { readonly kind: "answer"; readonly answer: T }
  | { readonly kind: "aborted" }
  | { readonly kind: "gone" }
  /** The request is too long for the protocol that was agreed on. */
  | { readonly kind: "too_long" };

/**
 * Requests to the client that wait for its answer, each of which ends exactly once (rpc-wire.md §3.4, §3.5). There is no
 * deadline: a client may have to ask a human.
 */
export class HostCalls<T> {
  readonly #open = new Map<string, (end: HostCallEnd<T>) => void>();
  #gone = false;

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  has(id: string): boolean {
    return this.#open.has(id);
  }

  /** Sends a request and waits for the end of it. Never rejects. Nothing is sent when nobody waits already. */
  request({ signal, send, cancel }: HostCallOptions): Promise<HostCallEnd<T>> {
    if (signal.aborted) return Promise.resolve({ kind: "aborted" });
    if (this.#gone) return Promise.resolve({ kind: "gone" });
    const id = requestId();
    return new Promise((resolve) => {
      const onAbort = (): void => {
        cancel({ id: requestId(), targetId: id });
        finish({ kind: "aborted" });
      };
      const finish = (end: HostCallEnd<T>): void => {
        if (!this.#open.delete(id)) return;
        signal.removeEventListener("abort", onAbort);
        resolve(end);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.#open.set(id, finish);
      if (!send(id)) finish({ kind: "too_long" });
    });
  }

  /** A late or a second answer is ignored. */
  answer(id: string, answer: T): void {
    this.#open.get(id)?.({ kind: "answer", answer });
  }

  /** The client is gone: what waits and what comes later ends at once. */
  clientGone(): void {
    this.#gone = true;
    for (const finish of [...this.#open.values()]) finish({ kind: "gone" });
  }
}
