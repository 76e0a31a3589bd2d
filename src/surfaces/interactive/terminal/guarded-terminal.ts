import { ProcessTerminal } from "@earendil-works/pi-tui/dist/terminal.js";
import { TerminalOutput } from "./terminal-output.ts";

/** The terminal remembers its title and gets it back, since programs in it set what they like. */
const PUSH_TITLE = "\u001b[22;0t";
const POP_TITLE = "\u001b[23;0t";
/** How long a terminal that is behind may hold up the end. */
const DRAIN_MS = 500;
/** How long it may hold up the hand-over to another program: what it shows of ours has to be gone first. */
const HAND_OVER_MS = 3_000;
/** A program that has the terminal at our end is ended before us, and killed when it does not end; this is beyond that. */
const BORROWER_END_MS = 1_500;
/** Keys and pastes: more than anybody sends in the moment before they are taken. */
const HELD_MAX = 10_000;
const HELD_MAX_CHARS = 1024 * 1024;

export interface TerminalListener {
  /** The terminal is gone: its window was closed, the connection broke. Called once. */
  lost(): void;
  /** Frames were left out, and the next one will be seen again. */
  caughtUp(): void;
}

/**
 * The real terminal, watched: nothing is written into the void or into the screen of another program, and nothing that it does
 * holds up the process.
 */
export class GuardedTerminal extends ProcessTerminal {
  readonly #listener: TerminalListener;
  readonly #output: TerminalOutput | undefined;
  readonly #ownWrite = process.stdout.write;
  #lost = false;
  #isOurs = false;
  #titlePushed = false;
  /** Input that came before anybody took it; undefined once it is taken. */
  #held: string[] | undefined = [];
  #heldChars = 0;
  #onInput: ((data: string) => void) | undefined;
  #borrowed: Promise<unknown> = Promise.resolve();

  constructor(listener: TerminalListener) {
    super();
    this.#listener = listener;
    const lose = (): void => this.#lose();
    this.#output = TerminalOutput.open({ lost: lose, caughtUp: () => listener.caughtUp() });
    // A hang-up ends stdin, a write after it fails with EIO or EPIPE; which of them comes first is a matter of luck.
    process.stdin.on("end", lose).on("close", lose).on("error", lose);
    process.stdout.on("error", lose);
  }

  /** Ours from now on: what is written reaches it. */
  take(): void {
    this.#isOurs = true;
    // The library writes modes and queries to stdout itself.
    const output = this.#output;
    if (output === undefined) return;
    process.stdout.write = (data: string | Uint8Array): boolean => {
      if (this.#isOurs && !this.#lost) output.write(data);
      return true;
    };
  }

  /**
   * Somebody else's from now on: `stop` writes what puts it back in order, and nothing is written until it is taken again.
   * Resolves with whether all of that is out; with false when the terminal did not take it in time.
   */
  giveAway(stop: () => void): Promise<boolean> {
    if (this.#output === undefined) stop();
    else this.#output.last(stop);
    this.#isOurs = false;
    return this.#isOut(HAND_OVER_MS);
  }

  /** Another program has it until `use` has settled, which `release` waits for. */
  lentFor<T>(use: Promise<T>): Promise<T> {
    this.#borrowed = use;
    return use;
  }

  override start(onInput: (data: string) => void, onResize: () => void): void {
    this.#onInput = onInput;
    super.start((data) => this.#receive(data), onResize);
    this.write(PUSH_TITLE);
    this.#titlePushed = true;
  }

  /**
   * Hands input on from now on, and first what has come already: up to a key that gives the terminal away. What was typed
   * behind that one was meant for whoever has it then.
   */
  takeInput(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const data of held) this.#onInput?.(data);
  }

  override stop(): void {
    this.#onInput = undefined;
    if (this.#titlePushed) this.write(POP_TITLE);
    this.#titlePushed = false;
    super.stop();
  }

  override restoreOnExit(before: string, after: string): void {
    if (this.#lost) return;
    super.restoreOnExit(before, this.#titlePushed ? POP_TITLE + after : after);
  }

  override write(data: string): void {
    if (this.#lost || !this.#isOurs) return;
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
    // How it went is for him who lent it.
    await atMost(BORROWER_END_MS, Promise.allSettled([this.#borrowed]));
    const isOut = await this.#isOut(DRAIN_MS);
    process.stdout.write = this.#ownWrite;
    this.#output?.close();
    return isOut;
  }

  async #isOut(ms: number): Promise<boolean> {
    const drained = (this.#output?.drained() ?? Promise.resolve()).then(() => !this.#lost);
    return (await atMost(ms, drained)) ?? false;
  }

  #receive(data: string): void {
    if (this.#held === undefined) {
      this.#onInput?.(data);
      return;
    }
    // Counted whether or not it is kept: nothing goes on behind a gap.
    this.#heldChars += data.length;
    if (this.#held.length < HELD_MAX && this.#heldChars <= HELD_MAX_CHARS) this.#held.push(data);
  }

  #lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#listener.lost();
  }
}

async function atMost<T>(ms: number, wait: Promise<T>): Promise<T | undefined> {
  const timeout = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => timeout.resolve(undefined), ms);
  try {
    return await Promise.race([wait, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
