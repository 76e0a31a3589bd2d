import { headOf } from "../text/cut.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import type { Role } from "../theme/roles.ts";
import { Block } from "./block.ts";
import { hangingRows } from "./hanging-rows.ts";

export interface TextBlockOptions {
  readonly role: Role;
  /** Stands in front of the first row; the others are set in by its width. */
  readonly mark?: string;
}

const MAX_ROWS = 400;
const MAX_CHARS = 64 * 1024;

/** Plain words in one colour: what zot itself has to say, errors, and other short texts. */
export class TextBlock extends Block {
  readonly #look: Look;
  readonly #options: TextBlockOptions;
  readonly #text: string;

  constructor(look: Look, text: string, options: TextBlockOptions) {
    super();
    this.#look = look;
    this.#options = options;
    this.#text = safeText(headOf(text, MAX_CHARS), "strip");
  }

  override get chars(): number {
    return this.#text.length;
  }

  protected draw(width: number): readonly string[] {
    const { role, mark = "" } = this.#options;
    const inset = " ".repeat(mark.length);
    const rows = hangingRows(this.#text, width - mark.length, MAX_ROWS);
    return [...rows.map((row, index) => this.#look.paint(role, `${index === 0 ? mark : inset}${row}`)), ""];
  }
}
