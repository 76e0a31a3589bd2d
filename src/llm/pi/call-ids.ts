/** Characters of an id; the tightest limit among the services (Chat Completions). */
const MAX_ID_CHARS = 40;
const RESPONSES_ID = /^[A-Za-z0-9_-]{1,64}\|[A-Za-z0-9_-]{1,64}$/;

/**
 * Gives the calls of one conversation ids that every service takes: letters, digits, `_` and `-`, no longer than 40, no two
 * alike. The same history always yields the same ids, so that prompt caches keep working.
 */
export class CallIds {
  readonly #taken = new Set<string>();
  readonly #isResponses: boolean;

  constructor(api: string) {
    this.#isResponses = api.endsWith("-responses");
  }

  /** An id for the next call, which was recorded with `id`. */
  assign(id: string): string {
    // Responses knows a call by two ids, recorded as `call|item`; other protocols get the first.
    if (this.#isResponses && RESPONSES_ID.test(id) && this.#take(id.slice(0, id.indexOf("|")))) return id;
    const cleaned = (id.split("|")[0] ?? "").replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_ID_CHARS);
    const base = cleaned === "" ? "call" : cleaned;
    if (this.#take(base)) return base;
    for (let number = 2; ; number++) {
      const suffix = `_${number}`;
      const numbered = `${base.slice(0, MAX_ID_CHARS - suffix.length)}${suffix}`;
      if (this.#take(numbered)) return numbered;
    }
  }

  #take(id: string): boolean {
    if (this.#taken.has(id)) return false;
    this.#taken.add(id);
    return true;
  }
}

const MAX_NAME_CHARS = 64;

/** A tool name that services take, for one that a model made up. The real name stays in our own transcript. */
export function legalToolName(name: string): string {
  const cleaned = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS);
  return /[A-Za-z0-9]/.test(cleaned) ? cleaned : "unknown_tool";
}
