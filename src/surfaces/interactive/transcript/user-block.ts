import { cellWidth, wrapRows } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { Block } from "./block.ts";

/** Rows of one prompt that are shown; a paste can be a whole file. */
const MAX_ROWS = 60;
const MAX_CHARS = 64 * 1024;
const MARK = "› ";
/** Tells the terminal library where a turn starts, so that Ctrl-Up finds it; it takes the mark out again. */
const PROMPT_START = "\u001b]133;A\u0007";

/** What the user said. */
export class UserBlock extends Block {
  readonly text: string;
  readonly #look: Look;

  constructor(look: Look, text: string) {
    super();
    this.#look = look;
    this.text = safeText(headOf(text, MAX_CHARS), "strip");
  }

  override get chars(): number {
    return this.text.length;
  }

  protected draw(width: number): readonly string[] {
    const inset = Math.min(MARK.length, Math.max(0, width - 1));
    const rows = wrapRows(this.text.trimEnd(), width - inset - 1, MAX_ROWS + 1);
    const shown = rows.slice(0, MAX_ROWS);
    if (rows.length > MAX_ROWS) shown.push(this.#look.paint("muted", "… more"));
    const painted = shown.map((row, index) => {
      const mark = index === 0 ? this.#look.paint("accent", MARK.slice(0, inset)) : " ".repeat(inset);
      const content = `${mark}${this.#look.paint("user", row)}`;
      return this.#look.paint("userBackground", content + " ".repeat(Math.max(0, width - cellWidth(content))));
    });
    return [`${PROMPT_START}${painted[0] ?? ""}`, ...painted.slice(1), ""];
  }
}
