import { wrapRows } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { Block } from "./block.ts";
import type { Highlighter } from "./highlight.ts";

const INSET = "  ";
/** Colouring a block anew with every frame while it grows is only worth it as long as it is short. */
const LIVE_HIGHLIGHT_MAX_LINES = 120;
const LIVE_HIGHLIGHT_MAX_CHARS = 8 * 1024;
/** While it grows, a longer line is taken for several, so that only the last of them has to be wrapped anew. */
const LINE_MAX_CHARS = 2 * 1024;
/** Rows of one block; a session file has the rest. */
const MAX_ROWS = 5_000;

/** One fenced block of code. While it grows, finished lines keep the rows that they have. */
export class CodeRows extends Block {
  readonly #look: Look;
  readonly #highlighter: Highlighter;
  #code = "";
  #language = "";
  #isOpen = true;
  /** Colours do not depend on the width. */
  #coloured: readonly string[] | undefined;
  /** Rows of finished lines of a long block that still grows. */
  #plain: { width: number; lines: number; rows: string[] } = { width: 0, lines: 0, rows: [] };

  constructor(look: Look, highlighter: Highlighter) {
    super();
    this.#look = look;
    this.#highlighter = highlighter;
  }

  /** @param code safe text without styles @param isOpen whether more of it may come */
  set(code: string, language: string, isOpen: boolean): void {
    if (code === this.#code && language === this.#language && isOpen === this.#isOpen) return;
    this.#code = code;
    this.#language = safeText(language, "strip").split(/\s/)[0] ?? "";
    this.#isOpen = isOpen;
    this.#coloured = undefined;
    this.changed();
  }

  override invalidate(): void {
    super.invalidate();
    this.#coloured = undefined;
    this.#plain = { width: 0, lines: 0, rows: [] };
  }

  protected draw(width: number): readonly string[] {
    const inset = width > 20 ? INSET : "";
    const cells = width - inset.length;
    const label =
      this.#language === ""
        ? []
        : [this.#look.paint("faint", wrapRows(`${inset}${this.#language}`, width, 1)[0] ?? "")];
    if (this.#isOpen && this.#isLong) return [...label, ...this.#growing(inset, cells)];
    this.#coloured ??= this.#highlighter.lines(this.#code, this.#language);
    const rows: string[] = [];
    for (const line of this.#coloured) rows.push(...wrapRows(line, cells, MAX_ROWS - rows.length));
    return [...label, ...rows.map((row) => inset + row), ""];
  }

  get #isLong(): boolean {
    return this.#code.length > LIVE_HIGHLIGHT_MAX_CHARS || this.#code.split("\n").length > LIVE_HIGHLIGHT_MAX_LINES;
  }

  #growing(inset: string, cells: number): string[] {
    const lines = this.#code.split("\n").flatMap(linePieces);
    const done = this.#plain;
    if (done.width !== cells || done.lines > lines.length) this.#plain = { width: cells, lines: 0, rows: [] };
    const { rows } = this.#plain;
    for (const line of lines.slice(this.#plain.lines, -1)) {
      rows.push(...wrapRows(line, cells, MAX_ROWS - rows.length).map((row) => inset + row));
    }
    this.#plain.lines = lines.length - 1;
    const last = wrapRows(lines.at(-1) ?? "", cells, MAX_ROWS - rows.length);
    return [...rows, ...last.map((row) => inset + row), ""];
  }
}

function linePieces(line: string): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > LINE_MAX_CHARS) {
    const piece = headOf(rest, LINE_MAX_CHARS);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...pieces, rest];
}
