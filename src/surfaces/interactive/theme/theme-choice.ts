import type { Stage } from "../screen/stage.ts";
import type { Settings } from "../settings/settings.ts";
import { DARK, LIGHT } from "./builtin.ts";
import type { Look } from "./look.ts";
import type { ThemeShelf } from "./theme-shelf.ts";

export interface ThemeChoiceParts {
  readonly look: Look;
  readonly stage: Stage;
  readonly themes: ThemeShelf;
  readonly settings: Settings;
  fail(text: string): void;
}

/** The setting that follows the terminal. */
export const AUTO = "auto";
/** Terminals that do not tell their colours within this time are taken for dark ones. */
const ANSWER_MS = 1_000;

/** Which theme a run begins with: the saved one, or what fits the terminal's background. */
export class ThemeChoice {
  readonly #parts: ThemeChoiceParts;

  constructor(parts: ThemeChoiceParts) {
    this.#parts = parts;
  }

  start(): void {
    const wanted = this.#parts.settings.get("theme") ?? AUTO;
    if (wanted === AUTO) void this.followTerminal();
    else this.#use(wanted, false);
  }

  /** A theme that an extension ships is known only now. */
  extensionsCame(): void {
    const { look, settings } = this.#parts;
    const wanted = settings.get("theme") ?? AUTO;
    if (wanted !== AUTO && look.theme.name !== wanted) this.#use(wanted, true);
  }

  #use(name: string, isLast: boolean): void {
    const { themes, look, stage, fail } = this.#parts;
    const { themes: all, faults } = themes.load();
    const found = all.find(({ theme }) => theme.name === name);
    if (found !== undefined) {
      look.use(found.theme);
      stage.redrawAll();
      return;
    }
    if (!isLast) return;
    for (const fault of faults) fail(fault);
    fail(`there is no theme ${name}; /theme lists what there is`);
  }

  /** Resolves when the theme that fits the terminal's background is in use; one that does not tell is taken for dark. */
  async followTerminal(): Promise<void> {
    const { look, stage } = this.#parts;
    const { background } = await stage.tui.queryTerminalColors({ timeoutMs: ANSWER_MS });
    const { r, g, b } = background ?? { r: 0, g: 0, b: 0 };
    const theme = 0.299 * r + 0.587 * g + 0.114 * b > 127 ? LIGHT : DARK;
    if (theme === look.theme) return;
    look.use(theme);
    stage.redrawAll();
  }
}
