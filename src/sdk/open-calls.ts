type Work<T> = (signal: AbortSignal, isOpen: () => boolean) => Promise<T>;

/** The host's calls that are at work and that it may take back: tools, and reads and writes of URIs. */
export class OpenCalls {
  readonly #open = new Map<string, AbortController>();

  /**
   * Runs the call `id` and gives what it gives; undefined when the host cancelled it meanwhile, since nobody waits for
   * an answer then. Throws what `work` throws, unless the call was cancelled.
   */
  async run<T>(id: string, work: Work<T>): Promise<T | undefined> {
    const controller = new AbortController();
    this.#open.set(id, controller);
    const isOpen = (): boolean => this.#open.get(id) === controller;
    try {
      const answer = await work(controller.signal, isOpen);
      return isOpen() ? answer : undefined;
    } catch (error) {
      if (isOpen()) throw error;
      // The handler of a cancelled call mostly throws the cancellation itself, and nobody waits for either.
      return undefined;
    } finally {
      if (isOpen()) this.#open.delete(id);
    }
  }

  /** The host has given up the call `id`. */
  cancel(id: string): void {
    const controller = this.#open.get(id);
    this.#open.delete(id);
    controller?.abort(new DOMException("the host cancelled the call", "AbortError"));
  }

  /** The host is leaving. Calls that still end are answered. */
  abortAll(): void {
    for (const controller of this.#open.values()) {
      controller.abort(new DOMException("the host is shutting down", "AbortError"));
    }
  }
}
