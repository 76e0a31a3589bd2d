import { DARK } from "./builtin.ts";
import { colourSgr } from "./colour.ts";
import type { ColourDepth } from "./depth.ts";
import { BACKGROUNDS, type Role, type Theme } from "./roles.ts";

export type Paint = (text: string) => string;

/** How things look now: the theme in use on the colours that this terminal has. Components ask it each time they draw. */
export class Look {
  readonly depth: ColourDepth;
  #theme: Theme = DARK;
  /** Made when they are first asked for: a frame needs a few of them. */
  readonly #paints = new Map<Role, Paint>();

  constructor(depth: ColourDepth) {
    this.depth = depth;
  }

  get theme(): Theme {
    return this.#theme;
  }

  /** Whoever calls this redraws everything. */
  use(theme: Theme): void {
    this.#theme = theme;
    this.#paints.clear();
  }

  paint(role: Role, text: string): string {
    return this.#paint(role)(text);
  }

  /** Stays right when the theme changes. */
  paintOf(role: Role): Paint {
    return (text) => this.#paint(role)(text);
  }

  readonly bold: Paint = (text) => `\u001b[1m${text}\u001b[22m`;
  readonly italic: Paint = (text) => `\u001b[3m${text}\u001b[23m`;
  readonly underline: Paint = (text) => `\u001b[4m${text}\u001b[24m`;
  readonly strikethrough: Paint = (text) => `\u001b[9m${text}\u001b[29m`;

  /** A row that is chosen: in colours, or turned around where there are none. */
  selected(text: string): string {
    if (this.depth === "none") return `\u001b[7m${text}\u001b[27m`;
    return this.paint("selectedBackground", this.paint("selected", text));
  }

  #paint(role: Role): Paint {
    const known = this.#paints.get(role);
    if (known !== undefined) return known;
    const paint = this.#make(role);
    this.#paints.set(role, paint);
    return paint;
  }

  #make(role: Role): Paint {
    const layer = BACKGROUNDS.has(role) ? "bg" : "fg";
    const start = colourSgr(this.#theme.colours[role], layer, this.depth);
    const end = colourSgr("default", layer, this.depth);
    if (start === "" || start === end) return (text) => text;
    return (text) => start + text + end;
  }
}
