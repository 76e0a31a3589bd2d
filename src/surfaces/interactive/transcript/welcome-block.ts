import { clampRow, wrapRows } from "../text/cells.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import { shortPath } from "../text/short-path.ts";
import type { Look } from "../theme/look.ts";
import { Block } from "./block.ts";

export interface Welcome {
  readonly version: string;
  readonly cwd: string;
}

/** What is known a moment later. */
export interface WelcomeFacts {
  /** Safe or not; undefined while it is being opened. */
  model(): string | undefined;
  /** One line about the extensions; "" for none. */
  extensions(): string;
  /** What to do without a model; "" when there is one. */
  advice(): string;
}

const KEYS = "enter sends · / commands · @ files · ! shell · esc cancels · /help for all";

/** The first thing on the screen: what this is, with whom it talks, where, and what to press. */
export class WelcomeBlock extends Block {
  readonly #look: Look;
  readonly #welcome: Welcome;
  #facts: WelcomeFacts | undefined;

  constructor(look: Look, welcome: Welcome) {
    super();
    this.#look = look;
    this.#welcome = welcome;
  }

  tell(facts: WelcomeFacts): void {
    this.#facts = facts;
    this.changed();
  }

  protected draw(width: number): readonly string[] {
    const { version, cwd } = this.#welcome;
    const look = this.#look;
    const facts = this.#facts;
    const lines = [
      ["model", facts?.model() ?? "opening…"],
      ["in", shortPath(cwd)],
      ["extensions", facts?.extensions() ?? ""],
    ] as const;
    const rows = lines
      .filter(([, text]) => text !== "")
      .map(([name, text]) =>
        clampRow(`${look.paint("muted", `  ${name.padEnd(11)}`)}${safeLine(text, "strip")}`, width),
      );
    return [
      clampRow(look.bold(look.paint("accent", `zot ${version}`)), width),
      ...rows,
      ...paragraph(facts?.advice() ?? "", width).map((row) => look.paint("warn", row)),
      ...paragraph(KEYS, width).map((row) => look.paint("faint", row)),
      "",
    ];
  }
}

function paragraph(text: string, width: number): string[] {
  return text === "" ? [] : wrapRows(safeText(text, "strip"), width - 2, 8).map((row) => `  ${row}`);
}
