import { wrapRows } from "../text/cells.ts";
import { type Styles, safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import type { Role } from "../theme/roles.ts";
import { Block } from "./block.ts";

export interface TextBlockOptions {
  readonly role: Role;
  /** Stands in front of the first row; the others are set in by its width. */
  readonly mark?: string;
  /** Whether colours of the text itself stay. */
  readonly styles?: Styles;
  /** Rows shown at most. */
  readonly maxRows?: number;
}

const MAX_ROWS = 400;

/** Plain words in one colour: what zot itself has to say, errors, and other short texts. */
export class TextBlock extends Block {
  readonly #look: Look;
  readonly #options: TextBlockOptions;
  #text: string;

  constructor(look: Look, text: string, options: TextBlockOptions) {
    super();
    this.#look = look;
    this.#options = options;
    this.#text = safeText(text, options.styles ?? "strip");
  }

  setText(text: string): void {
    this.#text = safeText(text, this.#options.styles ?? "strip");
    this.changed();
  }

  protected draw(width: number): readonly string[] {
    const { role, mark = "", maxRows = MAX_ROWS } = this.#options;
    const inset = " ".repeat(mark.length);
    const rows = wrapRows(this.#text, width - mark.length, maxRows);
    return [...rows.map((row, index) => this.#look.paint(role, `${index === 0 ? mark : inset}${row}`)), ""];
  }
}
