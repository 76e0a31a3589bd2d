import { SESSION_DAMAGE_NAMED_MAX } from "../../wire/limits.ts";

/** Lines of a session file that could not be read, kept as ranges so that a damaged file of any size costs little. */
export class Damage {
  readonly #ranges: { from: number; to: number }[] = [];
  #lines = 0;

  /** `line` counts from 1 and never falls. */
  add(line: number): void {
    const last = this.#ranges.at(-1);
    if (last?.to === line) return;
    this.#lines += 1;
    if (last !== undefined && last.to === line - 1) last.to = line;
    else if (this.#ranges.length < SESSION_DAMAGE_NAMED_MAX) this.#ranges.push({ from: line, to: line });
  }

  /** One sentence for the user; undefined when nothing is damaged. */
  describe(path: string): string | undefined {
    if (this.#lines === 0) return undefined;
    const named = this.#ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
    const counted = this.#ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    const more = counted < this.#lines ? ` and ${this.#lines - counted} more` : "";
    const damaged = this.#lines === 1 ? `line ${named} is damaged` : `lines ${named}${more} are damaged`;
    return `session ${path}: ${damaged}; what could not be read is left out, the file is not changed`;
  }
}
