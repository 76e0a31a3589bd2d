import { EXIT } from "./error.ts";
import { type EndSignal, exitStatusOf } from "./signals.ts";

/** Why rpc ends before its client has closed its side: asked to, nobody reads, no right to be here. */
export type EndCause = EndSignal | "output" | "refused";

/** The first of the reasons to end, and what it means for the exit status (rpc-wire.md §1.8). */
export class Ending {
  readonly #abort = new AbortController();
  #cause: EndCause | undefined;

  get cause(): EndCause | undefined {
    return this.#cause;
  }

  /** Aborts with the first reason. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get status(): number {
    if (this.#cause === undefined) return EXIT.ok;
    return this.#cause === "output" || this.#cause === "refused" ? EXIT.failed : exitStatusOf(this.#cause);
  }

  by(cause: EndCause): void {
    this.#cause ??= cause;
    this.#abort.abort();
  }

  /** Resolves with the first reason. */
  async when(): Promise<void> {
    if (this.signal.aborted) return;
    await new Promise<void>((resolve) => this.signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}
