import { Deferred } from "./deferred.ts";
import { ZotError } from "./error.ts";
import type { Frame } from "./frames.ts";
import { EVENTS_WAITING_MAX } from "./limits.ts";

/** Frames for one `for await`, from its beginning on. A reader that falls far behind gets an error, not all the memory. */
export class EventStream implements AsyncIterableIterator<Frame> {
  readonly #onDone: () => void;
  #waiting: Frame[] = [];
  #wanted: Deferred<IteratorResult<Frame>> | undefined;
  #end: { readonly error?: Error } | undefined;

  /** @param onDone called once, when nobody reads any more */
  constructor(onDone: () => void) {
    this.#onDone = onDone;
  }

  push(frame: Frame): void {
    if (this.#end !== undefined) return;
    if (this.#wanted !== undefined) {
      this.#wanted.resolve({ done: false, value: frame });
      this.#wanted = undefined;
      return;
    }
    if (this.#waiting.length >= EVENTS_WAITING_MAX) {
      this.end(new ZotError("overflow", `${EVENTS_WAITING_MAX} events wait to be read`));
      return;
    }
    this.#waiting.push(frame);
  }

  /** Nothing more comes; what waits can still be read. */
  end(error?: Error): void {
    if (this.#end !== undefined) return;
    this.#end = error === undefined ? {} : { error };
    const wanted = this.#wanted;
    this.#wanted = undefined;
    if (error === undefined) wanted?.resolve({ done: true, value: undefined });
    else wanted?.reject(error);
    this.#onDone();
  }

  next(): Promise<IteratorResult<Frame>> {
    const frame = this.#waiting.shift();
    if (frame !== undefined) return Promise.resolve({ done: false, value: frame });
    if (this.#end?.error !== undefined) return Promise.reject(this.#end.error);
    if (this.#end !== undefined) return Promise.resolve({ done: true, value: undefined });
    this.#wanted = new Deferred();
    return this.#wanted.promise;
  }

  /** The loop was left. */
  return(): Promise<IteratorResult<Frame>> {
    this.#waiting = [];
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
