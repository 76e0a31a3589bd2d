import { type Component, isKeyRelease, TuiAltScreen } from "@earendil-works/pi-tui";
import { GuardedTerminal } from "../terminal/guarded-terminal.ts";
import type { Look } from "../theme/look.ts";

export interface StageOptions {
  readonly look: Look;
  /** The terminal is gone; nothing can be shown any more. Called once. */
  onLost(): void;
  /** A key that means the same wherever the focus is; true when it was one. */
  onKey(data: string): boolean;
  readonly mouse: boolean;
}

const SCROLL_LINES = 3;
const NOT_STOPPED_MS = 150;

/** The terminal while it is ours: takes it, gives it back, lends it to others, and asks for frames. */
export class Stage {
  readonly terminal: GuardedTerminal;
  readonly tui: TuiAltScreen;
  #isUp = false;

  constructor({ look, onLost, onKey, mouse }: StageOptions) {
    this.terminal = new GuardedTerminal({
      lost: () => {
        this.#isUp = false;
        onLost();
      },
      caughtUp: () => {
        if (this.#isUp) this.tui.requestRender(true);
      },
    });
    this.tui = new TuiAltScreen(this.terminal, true, undefined, {
      mouse,
      wheelScrollLines: SCROLL_LINES,
      scrollToEndIndicator: () => look.selected(" ↓ end "),
    });
    this.tui.addInputListener((data) => {
      // A terminal that also tells when a key comes up would press every key twice.
      return !isKeyRelease(data) && onKey(data) ? { consume: true } : undefined;
    });
  }

  get width(): number {
    return this.terminal.columns;
  }

  get height(): number {
    return this.terminal.rows;
  }

  get isUp(): boolean {
    return this.#isUp;
  }

  /** Draws the first frame before it returns. */
  up(root: Component): void {
    this.tui.setLayoutRoot(root);
    this.#isUp = true;
    this.tui.start();
    this.tui.setSuspendSignalHandler(() => this.suspend());
    this.tui.renderNow();
  }

  /** Gives the terminal back as it was. May be called at any moment, and again. */
  down(): void {
    if (!this.#isUp) return;
    this.#isUp = false;
    this.tui.stop({ preserveScreen: true });
  }

  redraw = (): void => {
    if (this.#isUp) this.tui.requestRender();
  };

  /** Draws everything anew: the theme has changed. */
  redrawAll(): void {
    this.tui.invalidate();
    if (this.#isUp) this.tui.requestRender(true);
  }

  focus(component: Component): void {
    this.tui.setFocus(component);
    this.redraw();
  }

  /** Lends the terminal to another program until `use` has settled. */
  async lend<T>(use: () => Promise<T>): Promise<T> {
    if (!this.#isUp) return use();
    this.tui.stop({ preserveScreen: true });
    this.#isUp = false;
    try {
      return await use();
    } finally {
      this.#back();
    }
  }

  /** Stops as a job of the shell (Ctrl-Z) and comes back with `fg`. */
  suspend(): void {
    if (!this.#isUp || process.platform === "win32") return;
    this.down();
    const timer = setTimeout(() => resume(), NOT_STOPPED_MS);
    const resume = (): void => {
      clearTimeout(timer);
      process.off("SIGCONT", resume);
      this.#back();
    };
    process.on("SIGCONT", resume);
    // The whole group, so that the shell sees the job stop, as with a program that leaves Ctrl-Z to the terminal. Where no
    // shell controls us the signal does nothing, and the timer brings the screen back.
    process.kill(0, "SIGTSTP");
  }

  bell(): void {
    if (this.#isUp) this.terminal.write("\u0007");
  }

  #back(): void {
    if (this.#isUp) return;
    this.#isUp = true;
    this.tui.start();
    this.tui.requestRender(true);
  }
}
