import type { Extension } from "../extension.ts";
import { type Owner, ownerOf } from "../owner.ts";

/**
 * Which extensions wait for a human right now, with a focused panel or an open dialog. While one does, the clocks of
 * all calls to it stand still (extension-host.md §4.2 [REQ], architecture.md rule 4).
 */
export class Attention {
  readonly #asking = new Map<Extension, number>();
  readonly #listeners = new Set<() => void>();

  /** Those that wait for a human. */
  get asking(): readonly Owner[] {
    return [...this.#asking.keys()].map(ownerOf);
  }

  isAsking(extension: Extension): boolean {
    return this.#asking.has(extension);
  }

  /** Calls `listener` when an extension begins or ceases to wait. Dispose the result to end that. */
  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  /** A human is being asked for `extension` until the result is disposed; holds nest. */
  hold(extension: Extension): Disposable {
    const clock = extension.clock.hold();
    const before = this.#asking.get(extension) ?? 0;
    this.#asking.set(extension, before + 1);
    if (before === 0) this.#changed();
    let released = false;
    return {
      [Symbol.dispose]: () => {
        if (released) return;
        released = true;
        clock[Symbol.dispose]();
        this.#release(extension);
      },
    };
  }

  #release(extension: Extension): void {
    const left = (this.#asking.get(extension) ?? 1) - 1;
    if (left > 0) {
      this.#asking.set(extension, left);
      return;
    }
    this.#asking.delete(extension);
    this.#changed();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
