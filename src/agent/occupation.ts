/** Does something until `signal` aborts; what it answers can be known before it is over. */
export type Work<End> = (signal: AbortSignal, answer: (end: End) => void) => Promise<void>;

/** What the agent is busy with: one piece of work at a time, which can be cut short and waited for. */
export class Occupation {
  readonly #onFree: () => void;
  #current: { readonly abort: AbortController; readonly settled: Promise<void> } | undefined;

  /** @param onFree told after each piece of work, when the next can begin */
  constructor(onFree: () => void) {
    this.#onFree = onFree;
  }

  get busy(): boolean {
    return this.#current !== undefined;
  }

  /** Does `work` while nothing else can begin; resolves with what it answers, rejects when it fails before that. */
  begin<End>(work: Work<End>): Promise<End> {
    const abort = new AbortController();
    const settled = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<End>();
    this.#current = { abort, settled: settled.promise };
    work(abort.signal, answered.resolve)
      .catch(answered.reject)
      .finally(() => {
        this.#current = undefined;
        this.#onFree();
        settled.resolve();
      });
    return answered.promise;
  }

  /** Cuts it short; resolves when it is over. */
  async abort(): Promise<void> {
    this.#current?.abort.abort();
    await this.settled();
  }

  /** Resolves when nothing is under way any more and `onFree` has been told. */
  async settled(): Promise<void> {
    await this.#current?.settled;
  }
}
