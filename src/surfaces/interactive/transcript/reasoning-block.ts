import { clampRow, wrapRows } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { FoldingBlock } from "./folding-block.ts";
import { liveTail } from "./live-tail.ts";

const MAX_ROWS = 2_000;
/** What is kept of it; the session has it all. */
const MAX_CHARS = 256 * 1024;
const LIVE_ROWS = 3;
/** When it is unfolded while it lasts. */
const LIVE_OPEN_ROWS = 100;

/** Models write headings of their thoughts this way; all of them are in one style here, so the marks say nothing. */
const BOLD = /\*\*(?=[^\s*])([^*\n]{0,200}?[^\s*])\*\*/g;
/** One whose end is still on its way; it must not come and go. */
const OPEN_BOLD = /\*\*(?=\S|$)([^*\n]{0,200})\*?$/;

type State =
  | { readonly kind: "live"; readonly since: number }
  /** @param seconds undefined for one of an earlier run: nobody knows */
  | { readonly kind: "over"; readonly seconds: number | undefined };

/** What the model thinks: a few rows while it thinks, one row afterwards, all of it when unfolded. */
export class ReasoningBlock extends FoldingBlock {
  readonly #look: Look;
  #text = "";
  #state: State = { kind: "live", since: performance.now() };

  /** @param text all of it, of an earlier run; undefined for one that begins now */
  constructor(look: Look, text?: string) {
    super();
    this.#look = look;
    if (text === undefined) return;
    this.append(text);
    this.#state = { kind: "over", seconds: undefined };
  }

  override get chars(): number {
    return this.#text.length;
  }

  append(delta: string): void {
    if (this.#text.length >= MAX_CHARS) return;
    this.#text += headOf(delta, MAX_CHARS - this.#text.length);
    this.changed();
  }

  /** It has thought enough. */
  close(): void {
    if (this.#state.kind === "over") return;
    this.#state = { kind: "over", seconds: (performance.now() - this.#state.since) / 1000 };
    this.changed();
  }

  protected draw(width: number): readonly string[] {
    if (this.#state.kind === "live") {
      const count = this.isOpen ? LIVE_OPEN_ROWS : LIVE_ROWS;
      const tail = liveTail(this.#text, width, count).replaceAll(BOLD, "$1").replace(OPEN_BOLD, "$1");
      const rows = this.#rows(tail, width);
      return [this.#head("thinking…", width), ...rows.slice(-count), ""];
    }
    if (this.#text.trim() === "") return [];
    const { seconds } = this.#state;
    const time = seconds === undefined ? "" : ` for ${Math.max(1, Math.round(seconds))} s`;
    return [
      this.#head(`thought${time}`, width),
      ...(this.isOpen ? this.#rows(this.#text.replaceAll(BOLD, "$1"), width) : []),
      "",
    ];
  }

  #head(title: string, width: number): string {
    return this.#paint(clampRow(`∴ ${title}`, width));
  }

  #rows(text: string, width: number): string[] {
    return wrapRows(safeText(text, "strip").trim(), width - 2, MAX_ROWS).map((row) => this.#paint(`  ${row}`));
  }

  #paint(row: string): string {
    return this.#look.paint("reasoning", this.#look.italic(row));
  }
}
