import { wrapRows } from "../text/cells.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { Block } from "./block.ts";
import type { Highlighter } from "./highlight.ts";

const INSET = "  ";
/** Colouring a block anew with every frame while it grows is only worth it as long as it is short. */
const LIVE_HIGHLIGHT_MAX_LINES = 120;
/** Rows of one block; a session file has the rest. */
const MAX_ROWS = 5_000;

/** One fenced block of code. While it grows, finished lines keep the rows that they have. */
export class CodeRows extends Block {
  readonly #look: Look;
  readonly #highlighter: Highlighter;
  #code = "";
  #language = "";
  #isOpen = true;
  /** Rows of finished lines of a long block that still grows. */
  #plain: { width: number; lines: number; rows: string[] } = { width: 0, lines: 0, rows: [] };

  constructor(look: Look, highlighter: Highlighter) {
    super();
    this.#look = look;
    this.#highlighter = highlighter;
  }

  /** @param isOpen whether more of it may come */
  set(code: string, language: string, isOpen: boolean): void {
    if (code === this.#code && language === this.#language && isOpen === this.#isOpen) return;
    this.#code = safeText(code, "strip");
    this.#language = safeText(language, "strip").split(/\s/)[0] ?? "";
    this.#isOpen = isOpen;
    this.changed();
  }

  override invalidate(): void {
    super.invalidate();
    this.#plain = { width: 0, lines: 0, rows: [] };
  }

  protected draw(width: number): readonly string[] {
    const inset = width > 20 ? INSET : "";
    const cells = width - inset.length;
    const label =
      this.#language === ""
        ? []
        : [this.#look.paint("faint", wrapRows(`${inset}${this.#language}`, width, 1)[0] ?? "")];
    const lines = this.#code.split("\n");
    if (this.#isOpen && lines.length > LIVE_HIGHLIGHT_MAX_LINES)
      return [...label, ...this.#growing(lines, inset, cells)];
    const coloured = this.#highlighter.lines(this.#code, this.#language);
    const rows = coloured.flatMap((line) => wrapRows(line, cells)).slice(0, MAX_ROWS);
    return [...label, ...rows.map((row) => inset + row), ""];
  }

  #growing(lines: readonly string[], inset: string, cells: number): string[] {
    const done = this.#plain;
    if (done.width !== cells || done.lines > lines.length) this.#plain = { width: cells, lines: 0, rows: [] };
    const { rows } = this.#plain;
    for (const line of lines.slice(this.#plain.lines, -1)) {
      if (rows.length < MAX_ROWS) rows.push(...wrapRows(line, cells).map((row) => inset + row));
    }
    this.#plain.lines = lines.length - 1;
    return [...rows, ...wrapRows(lines.at(-1) ?? "", cells).map((row) => inset + row), ""];
  }
}
