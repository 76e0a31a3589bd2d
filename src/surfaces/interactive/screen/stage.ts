import { isKeyRelease } from "@earendil-works/pi-tui/dist/keys.js";
import type { Component } from "@earendil-works/pi-tui/dist/tui.js";
import { TuiAltScreen } from "@earendil-works/pi-tui/dist/tui-alt-screen.js";
import { GuardedTerminal } from "../terminal/guarded-terminal.ts";
import type { Look } from "../theme/look.ts";

export interface StageOptions {
  readonly look: Look;
  readonly mouse: boolean;
}

const SCROLL_LINES = 3;
const NOT_STOPPED_MS = 150;

/** The terminal while it is ours: takes it, gives it back, lends it to others, and asks for frames. */
export class Stage {
  readonly terminal: GuardedTerminal;
  readonly tui: TuiAltScreen;
  readonly #lost = Promise.withResolvers<void>();
  #isUp = false;

  constructor({ look, mouse }: StageOptions) {
    this.terminal = new GuardedTerminal({
      lost: () => {
        this.#isUp = false;
        this.#lost.resolve();
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
  }

  /** Resolves when the terminal is gone: nothing can be shown any more. */
  get lost(): Promise<void> {
    return this.#lost.promise;
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

  /** Puts something else on the screen. */
  show(root: Component): void {
    this.tui.setLayoutRoot(root);
    this.redraw();
  }

  /**
   * Keys work from now on; until then they wait.
   *
   * @param onKey takes a key that means the same wherever the focus is; true when it was one
   */
  listen(onKey: (data: string) => boolean): void {
    this.tui.addInputListener((data) => {
      // A terminal that also tells when a key comes up would press every key twice.
      return !isKeyRelease(data) && onKey(data) ? { consume: true } : undefined;
    });
    this.terminal.takeInput();
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
