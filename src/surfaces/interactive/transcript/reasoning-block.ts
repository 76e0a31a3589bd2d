import { clampRow, wrapRows } from "../text/cells.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { FoldingBlock } from "./folding-block.ts";

const MAX_ROWS = 2_000;
/** What is kept of it; the session has it all. */
const MAX_CHARS = 256 * 1024;
const LIVE_ROWS = 3;

/** What the model thinks: a few rows while it thinks, one row afterwards, all of it when unfolded. */
export class ReasoningBlock extends FoldingBlock {
  readonly #look: Look;
  readonly #startedAt = performance.now();
  #text = "";
  #seconds: number | undefined;

  constructor(look: Look) {
    super();
    this.#look = look;
  }

  append(delta: string): void {
    if (this.#text.length >= MAX_CHARS) return;
    this.#text += delta;
    this.changed();
  }

  /** It has thought enough. */
  close(): void {
    this.#seconds ??= (performance.now() - this.#startedAt) / 1000;
    this.changed();
  }

  protected draw(width: number): readonly string[] {
    const text = safeText(this.#text, "strip").trim();
    if (text === "" && this.#seconds !== undefined) return [];
    const rows = wrapRows(text, width - 2, MAX_ROWS).map((row) => this.#row(`  ${row}`));
    const isLive = this.#seconds === undefined;
    const title = isLive ? "∴ thinking…" : `∴ thought for ${Math.max(1, Math.round(this.#seconds ?? 0))} s`;
    const head = this.#row(clampRow(title, width));
    if (this.isOpen) return [head, ...rows, ""];
    return [head, ...(isLive ? rows.slice(-LIVE_ROWS) : []), ""];
  }

  #row(text: string): string {
    return this.#look.paint("reasoning", this.#look.italic(text));
  }
}
