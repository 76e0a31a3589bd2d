/** Faults that are remembered; older ones are forgotten, and would strike again. */
const MAX_REMEMBERED = 1000;

/** Remembers which `fail` and `drop` lines have struck, so that a repeated request gets past them. */
export class Faults {
  readonly #struck = new Map<string, number>();

  /** True when the fault at `key` is still to strike, which it then has. */
  strikes(key: string, times: number): boolean {
    const struck = this.#struck.get(key) ?? 0;
    if (struck >= times) return false;
    this.#struck.delete(key);
    this.#struck.set(key, struck + 1);
    const oldest = this.#struck.keys().next();
    if (this.#struck.size > MAX_REMEMBERED && oldest.done !== true) this.#struck.delete(oldest.value);
    return true;
  }
}
