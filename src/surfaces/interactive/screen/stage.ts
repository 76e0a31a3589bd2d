import { getKeybindings, type KeybindingsConfig } from "@earendil-works/pi-tui/dist/keybindings.js";
import { isKeyRelease } from "@earendil-works/pi-tui/dist/keys.js";
import type { Component } from "@earendil-works/pi-tui/dist/tui.js";
import { TuiAltScreen } from "@earendil-works/pi-tui/dist/tui-alt-screen.js";
import { copyText } from "../terminal/clipboard.ts";
import { GuardedTerminal } from "../terminal/guarded-terminal.ts";
import type { Look } from "../theme/look.ts";

export interface StageOptions {
  readonly look: Look;
  readonly mouse: boolean;
}

/** Terminals without a keyboard protocol cannot tell ctrl+shift+f from ctrl+f, which moves the cursor. */
const KEYS: KeybindingsConfig = { "tui.altScreen.search": ["ctrl+shift+f", "f3"] };
const SCROLL_LINES = 3;
const NOT_STOPPED_MS = 150;

/** The terminal while it is ours: takes it, gives it back, lends it to others, and asks for frames. */
export class Stage {
  readonly terminal: GuardedTerminal;
  readonly tui: TuiAltScreen;
  readonly #lost = Promise.withResolvers<void>();
  /** Aborted when the terminal is ours no more, for good. */
  readonly #over = new AbortController();
  #isUp = false;
  #isLent = false;
  #listens = false;
  #title: string | undefined;

  constructor({ look, mouse }: StageOptions) {
    this.terminal = new GuardedTerminal({
      lost: () => {
        this.#isUp = false;
        this.#over.abort();
        this.#lost.resolve();
      },
      caughtUp: () => {
        if (this.#isUp) this.tui.requestRender(true);
      },
    });
    getKeybindings().setUserBindings(KEYS);
    this.tui = new TuiAltScreen(this.terminal, true, undefined, {
      mouse,
      wheelScrollLines: SCROLL_LINES,
      scrollToEndIndicator: () => look.selected(" ↓ end "),
      copySelection: (text) => this.#copy(text),
    });
  }

  /** Resolves when the terminal is gone: nothing can be shown any more. */
  get lost(): Promise<void> {
    return this.#lost.promise;
  }

  /** Whether another program has the terminal, and the keys that it makes signals of. */
  get isLent(): boolean {
    return this.#isLent;
  }

  /** Draws the first frame before it returns. */
  up(root: Component): void {
    this.tui.setLayoutRoot(root);
    this.#take();
    this.tui.setSuspendSignalHandler(() => void this.suspend());
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
    this.#listens = true;
    if (this.#isUp) this.terminal.takeInput();
  }

  /** Gives the terminal back as it was, for good, and ends the program that has it meanwhile. May be called again. */
  down(): void {
    if (this.#isUp) void this.#leave();
    this.#over.abort();
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

  /**
   * Lends the terminal to another program until `use` has settled. Undefined when it cannot be lent: another program has it, or
   * it is so far behind that the two would write into each other.
   *
   * @param use is to end its program when the signal comes: the screen is over
   */
  async lend<T>(use: (over: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (!this.#isUp) return undefined;
    try {
      const isFree = await this.#leave();
      if (!isFree || this.#over.signal.aborted) return undefined;
      this.#isLent = true;
      return await this.terminal.lentFor(use(this.#over.signal));
    } finally {
      this.#isLent = false;
      this.#back();
    }
  }

  /** Stops as a job of the shell (Ctrl-Z) and comes back with `fg`. Resolves when it has been stopped, or could not be. */
  async suspend(): Promise<void> {
    if (!this.#isUp || process.platform === "win32") return;
    await this.#leave();
    if (this.#over.signal.aborted) return;
    const timer = setTimeout(() => resume(), NOT_STOPPED_MS);
    const resume = (): void => {
      clearTimeout(timer);
      process.off("SIGCONT", resume);
      this.#back();
    };
    process.on("SIGCONT", resume);
    // The whole group, so that the shell sees the job stop, as with a program that leaves Ctrl-Z to the terminal. Where no
    // shell controls us the signal does nothing, and the timer brings the screen back.
    try {
      process.kill(0, "SIGTSTP");
    } catch {
      // So it does where a sandbox forbids signals.
    }
  }

  bell(): void {
    if (this.#isUp) this.terminal.write("\u0007");
  }

  /** The title of the terminal for as long as it is ours, now or when it comes back. */
  setTitle(title: string): void {
    this.#title = title;
    if (this.#isUp) this.terminal.setTitle(title);
  }

  #take(): void {
    this.#isUp = true;
    this.terminal.take();
    this.tui.start();
  }

  /** Resolves with whether the terminal shows nothing of ours any more; false when it is too far behind. */
  async #leave(): Promise<boolean> {
    this.#isUp = false;
    // Keys are signals again: stopped by another Ctrl-Z before everything is out, we would leave our screen to the shell.
    const notYet = (): void => undefined;
    process.on("SIGTSTP", notYet);
    try {
      return await this.terminal.giveAway(() => this.tui.stop({ preserveScreen: true }));
    } finally {
      process.off("SIGTSTP", notYet);
    }
  }

  #back(): void {
    if (this.#isUp || this.#over.signal.aborted) return;
    this.#take();
    if (this.#title !== undefined) this.terminal.setTitle(this.#title);
    this.tui.requestRender(true);
    if (this.#listens) this.terminal.takeInput();
  }

  async #copy(text: string): Promise<boolean | string> {
    const taken = await copyText(text, (data) => this.terminal.write(data));
    return taken === text.length || `Copied the first ${taken} characters`;
  }
}
