import { ProcessTerminal } from "@earendil-works/pi-tui/dist/terminal.js";
import { TerminalOutput } from "./terminal-output.ts";

/** The terminal remembers its title and gets it back, since programs in it set what they like. */
const PUSH_TITLE = "\u001b[22;0t";
const POP_TITLE = "\u001b[23;0t";
/** How long a terminal that is behind may hold up the end. */
const DRAIN_MS = 500;
/** Keys and pastes: more than anybody sends in the moment before they are taken. */
const HELD_MAX = 10_000;

export interface TerminalListener {
  /** The terminal is gone: its window was closed, the connection broke. Called once. */
  lost(): void;
  /** Frames were left out, and the next one will be seen again. */
  caughtUp(): void;
}

/** The real terminal, watched: nothing is written into the void, and nothing that it does holds up the process. */
export class GuardedTerminal extends ProcessTerminal {
  readonly #listener: TerminalListener;
  readonly #output: TerminalOutput | undefined;
  readonly #ownWrite = process.stdout.write;
  #lost = false;
  #titlePushed = false;
  /** Input that came before anybody took it; undefined once it is taken. */
  #held: string[] | undefined = [];
  #onInput: ((data: string) => void) | undefined;

  constructor(listener: TerminalListener) {
    super();
    this.#listener = listener;
    const lose = (): void => this.#lose();
    this.#output = TerminalOutput.open({ lost: lose, caughtUp: () => listener.caughtUp() });
    // A hang-up ends stdin, a write after it fails with EIO or EPIPE; which of them comes first is a matter of luck.
    process.stdin.on("end", lose).on("close", lose).on("error", lose);
    process.stdout.on("error", lose);
  }

  override start(onInput: (data: string) => void, onResize: () => void): void {
    // The library writes modes and queries to stdout itself.
    const output = this.#output;
    if (output !== undefined) {
      process.stdout.write = (data: string | Uint8Array): boolean => {
        if (!this.#lost) output.write(data);
        return true;
      };
    }
    this.#onInput = onInput;
    super.start((data) => {
      if (this.#held === undefined) onInput(data);
      else if (this.#held.length < HELD_MAX) this.#held.push(data);
    }, onResize);
    this.write(PUSH_TITLE);
    this.#titlePushed = true;
  }

  /** Hands input on from now on, and first what has come already. */
  takeInput(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const data of held) this.#onInput?.(data);
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

  /**
   * Gives stdout back when what was written is out (true), or when the terminal does not take it (false): whoever writes to it
   * then may wait for ever. The last thing to call.
   */
  async release(): Promise<boolean> {
    if (this.#output === undefined) return !this.#lost;
    const timeout = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => timeout.resolve(false), DRAIN_MS);
    const isOut = await Promise.race([this.#output.drained().then(() => !this.#lost), timeout.promise]);
    clearTimeout(timer);
    process.stdout.write = this.#ownWrite;
    this.#output.close();
    return isOut;
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#listener.lost();
  }
}
