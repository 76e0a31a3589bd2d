import { ProcessTerminal } from "@earendil-works/pi-tui";

/** The terminal remembers its title and gets it back, since programs in it set what they like. */
const PUSH_TITLE = "\u001b[22;0t";
const POP_TITLE = "\u001b[23;0t";

/**
 * The real terminal, watched: when it goes away (its window was closed, the connection broke) `onLost` is called once and
 * nothing is written any more, so that no write into the void keeps a run alive.
 */
export class GuardedTerminal extends ProcessTerminal {
  readonly #onLost: () => void;
  #lost = false;
  #titlePushed = false;

  constructor(onLost: () => void) {
    super();
    this.#onLost = onLost;
    // A hang-up ends stdin, a write after it fails with EIO or EPIPE; which of them comes first is a matter of luck.
    const lose = (): void => this.#lose();
    process.stdin.on("end", lose).on("close", lose).on("error", lose);
    process.stdout.on("error", lose);
  }

  override start(onInput: (data: string) => void, onResize: () => void): void {
    super.start(onInput, onResize);
    this.write(PUSH_TITLE);
    this.#titlePushed = true;
  }

  override stop(): void {
    if (this.#titlePushed) this.write(POP_TITLE);
    this.#titlePushed = false;
    super.stop();
  }

  override restoreOnExit(before: string, after: string): void {
    if (this.#lost) return;
    super.restoreOnExit(before, this.#titlePushed ? POP_TITLE + after : after);
  }

  override write(data: string): void {
    if (this.#lost) return;
    try {
      process.stdout.write(data);
    } catch {
      // Only a terminal that is gone refuses a write.
      this.#lose();
    }
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#onLost();
  }
}
