import type { Extension } from "../extension.ts";

/** A registration, and whether it is the one that counts. */
export interface Claim {
  readonly name: string;
  readonly active: boolean;
}

/** What a name is registered for. */
export interface Registration {
  readonly extension: Extension;
  readonly name: string;
}

export interface NameTableOptions {
  /** Keys that no extension can own. */
  readonly reserved: ReadonlySet<string>;
  /** Registrations of one extension. */
  readonly limit: number;
  /** A name as diagnostics show it. */
  label(name: string): string;
}

/** Registrants of names: the first in load order among the living owns one, a reserved name nobody does. */
export class NameTable<R extends Registration> {
  /** Registrants of each name in load order. A `Map`, so that `__proto__` is a name like any other. */
  readonly #byName = new Map<string, R[]>();
  readonly #options: NameTableOptions;

  constructor(options: NameTableOptions) {
    this.#options = options;
  }

  /** @param key what is compared; the name itself keeps its spelling */
  add(key: string, registration: R): void {
    const { extension, name } = registration;
    const { reserved, limit, label } = this.#options;
    const registrants = this.#byName.get(key) ?? [];
    const own = registrants.findIndex((other) => other.extension === extension);
    if (own !== -1) {
      // A running extension refreshes its definition (§2.6 [REQ]); two definitions in one start are a mistake, and
      // the first is the one that a reader of its source would expect.
      if (extension.state === "ready") registrants[own] = registration;
      else extension.diagnostics.add(`${label(name)} is registered twice; the first registration counts`);
      return;
    }
    if (this.claims(extension).length >= limit) {
      extension.diagnostics.add(`more than ${limit} registrations; ${label(name)} skipped`);
      return;
    }
    const other = registrants.find((registrant) => registrant.extension.connection !== undefined);
    if (reserved.has(key)) {
      extension.diagnostics.add(`${label(name)} is shadowed by the built-in of that name`);
    } else if (other !== undefined) {
      const loser = other.extension.loadIndex < extension.loadIndex ? registration : other;
      loser.extension.diagnostics.add(
        `${label(loser.name)} conflicts with another extension registering the same name`,
      );
    }
    registrants.push(registration);
    registrants.sort((a, b) => a.extension.loadIndex - b.extension.loadIndex);
    this.#byName.set(key, registrants);
  }

  /** Forgets a generation; the next registrant of each of its names takes over (defect 12). */
  remove(extension: Extension): void {
    for (const [key, registrants] of this.#byName) {
      const left = registrants.filter((registration) => registration.extension !== extension);
      if (left.length === 0) this.#byName.delete(key);
      else this.#byName.set(key, left);
    }
  }

  /** The live registration that counts. */
  owner(key: string): R | undefined {
    if (this.#options.reserved.has(key)) return undefined;
    return this.#byName.get(key)?.find((registration) => registration.extension.connection !== undefined);
  }

  /** All that count, in load order. */
  owners(): R[] {
    return [...this.#byName.keys()]
      .map((key) => this.owner(key))
      .filter((registration) => registration !== undefined)
      .sort((a, b) => a.extension.loadIndex - b.extension.loadIndex);
  }

  /** All of one extension. */
  claims(extension: Extension): Claim[] {
    const claims: Claim[] = [];
    for (const [key, registrants] of this.#byName) {
      const own = registrants.find((registration) => registration.extension === extension);
      if (own !== undefined) claims.push({ name: own.name, active: this.owner(key) === own });
    }
    return claims;
  }
}
