import { DIAGNOSTIC_MAX_CHARS, DIAGNOSTICS_MAX } from "../wire/limits.ts";
import type { ExtensionLog } from "./launch/log.ts";

/**
 * What went wrong with one extension without ending it: kept for doctor, and written to its own log. Repeats are
 * counted, so that a child that sends the same bad frame for ever fills neither.
 */
export class Diagnostics {
  readonly #entries = new Map<string, number>();
  readonly #log: Pick<ExtensionLog, "line">;

  constructor(log: Pick<ExtensionLog, "line">) {
    this.#log = log;
  }

  /** Records `text`; `logged` is the line for the log file when its wording is fixed by the protocol (§1.7). */
  add(text: string, logged = text): void {
    const entry = text.length > DIAGNOSTIC_MAX_CHARS ? `${text.slice(0, DIAGNOSTIC_MAX_CHARS)}…` : text;
    const seen = this.#entries.get(entry);
    if (seen !== undefined) {
      this.#entries.set(entry, seen + 1);
      return;
    }
    if (this.#entries.size >= DIAGNOSTICS_MAX) return;
    this.#entries.set(entry, 1);
    this.#log.line(logged.length > DIAGNOSTIC_MAX_CHARS ? `${logged.slice(0, DIAGNOSTIC_MAX_CHARS)}…` : logged);
  }

  /** In the order in which they first came up; repeats as ` (×n)`. */
  get entries(): readonly string[] {
    return [...this.#entries].map(([text, count]) => (count === 1 ? text : `${text} (×${count})`));
  }
}
