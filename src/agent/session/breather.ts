import { READ_YIELD_MS } from "../../wire/limits.ts";

/** Lets timers and keys run while a long file is read (architecture.md rule 1). */
export class Breather {
  #since = performance.now();

  get isDue(): boolean {
    return performance.now() - this.#since >= READ_YIELD_MS;
  }

  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
