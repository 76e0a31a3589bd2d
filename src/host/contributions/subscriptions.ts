import { INTERCEPTABLE } from "../../wire/dialect.ts";
import { SUBSCRIPTIONS_PER_EXTENSION_MAX } from "../../wire/limits.ts";
import type { Subscribe } from "../../wire/schemas.ts";
import type { Extension } from "../extension.ts";

/** Who observes and who intercepts which event (extension-host.md §3.1); repeated frames add up (§2.6). */
export class Subscriptions {
  readonly #observed = new Map<Extension, Set<string>>();
  readonly #intercepted = new Map<Extension, Set<string>>();

  add(extension: Extension, { events, intercept }: Subscribe): void {
    put(this.#observed, extension, events);
    put(
      this.#intercepted,
      extension,
      intercept.filter((event) => INTERCEPTABLE.has(event)),
    );
  }

  remove(extension: Extension): void {
    this.#observed.delete(extension);
    this.#intercepted.delete(extension);
  }

  /** Live observers of `event`, in load order. */
  observers(event: string): Extension[] {
    return subscribers(this.#observed, event);
  }

  /** Live interceptors of `event`, in load order (defect 20). */
  interceptors(event: string): Extension[] {
    return subscribers(this.#intercepted, event);
  }
}

function put(table: Map<Extension, Set<string>>, extension: Extension, events: readonly string[]): void {
  const known = table.get(extension) ?? new Set<string>();
  for (const event of events) {
    if (known.size < SUBSCRIPTIONS_PER_EXTENSION_MAX) known.add(event);
  }
  table.set(extension, known);
}

function subscribers(table: ReadonlyMap<Extension, ReadonlySet<string>>, event: string): Extension[] {
  return [...table]
    .filter(([extension, events]) => events.has(event) && extension.connection !== undefined)
    .map(([extension]) => extension)
    .sort((a, b) => a.loadIndex - b.loadIndex);
}
