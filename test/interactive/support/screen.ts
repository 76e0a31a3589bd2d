import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { UnicodeGraphemesAddon } from "@xterm/addon-unicode-graphemes";
import { Terminal } from "@xterm/headless";
import { tempDir } from "../../support/temp-dir.ts";
import { zotBinary } from "../../support/zot.ts";

export interface ScreenOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Holds HOME and ZOT_HOME, for runs that share them. Default: a fresh folder. */
  readonly home?: string;
  /** Default: an empty folder. */
  readonly cwd?: string;
  /** Whether the terminal speaks the kitty keyboard protocol. */
  readonly keyboardProtocol?: boolean;
  /** What the terminal answers when it is asked for its background, as `rrrr/gggg/bbbb`; nothing when left out. */
  readonly background?: string;
  /** Typed in the very moment in which the first frame is there, before the test itself has seen it. */
  readonly typedAtOnce?: string;
}

/** Keys by name, as a terminal without a keyboard protocol sends them. */
export const KEYS = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  backspace: "\u007f",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  pageUp: "\u001b[5~",
  pageDown: "\u001b[6~",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlG: "\u0007",
  ctrlJ: "\n",
  ctrlO: "\u000f",
  ctrlZ: "\u001a",
} as const;

export type KeyName = keyof typeof KEYS;

const WAIT_MS = 8_000;
const POLL_MS = 15;

/**
 * The built zot in a real pseudo-terminal, mirrored into a terminal emulator: what a test sees is what a person would see. Ends with
 * the scope: `await using screen = await openScreen([...])`.
 */
export async function openScreen(args: readonly string[], options: ScreenOptions = {}): Promise<Screen> {
  const screen = await openTerminal([zotBinary, ...args], options);
  // Before that the terminal is the line editor of the kernel, which makes something else of an Enter.
  await screen.until(() => screen.isAlternate || screen.process.exitCode !== null, "the first frame");
  return screen;
}

/** A shell with job control in place of zot itself. */
export function openShell(options: ScreenOptions = {}): Promise<Screen> {
  return openTerminal(["bash", "--norc", "--noprofile", "-i"], { ...options, env: { PS1: "$ ", ...options.env } });
}

/** Any program in the terminal. */
export async function openTerminal(argv: readonly [string, ...string[]], options: ScreenOptions = {}): Promise<Screen> {
  const scratch = await tempDir("zot-screen-");
  const home = options.home ?? scratch.path;
  const cwd = options.cwd ?? join(scratch.path, "project");
  await Promise.all([cwd, join(home, "home"), join(home, "zot")].map((folder) => mkdir(folder, { recursive: true })));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(home, "home"),
    ZOT_HOME: join(home, "zot"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    ...options.env,
  };
  const { cols = 80, rows = 24, background, typedAtOnce, keyboardProtocol = false } = options;
  return new Screen(argv, { cols, rows, cwd, env, background, typedAtOnce, keyboardProtocol }, scratch);
}

interface PtyOptions {
  readonly cols: number;
  readonly rows: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly background: string | undefined;
  readonly typedAtOnce: string | undefined;
  readonly keyboardProtocol: boolean;
}

export class Screen implements AsyncDisposable {
  readonly process: Bun.Subprocess;
  readonly cwd: string;
  readonly zotHome: string;
  /** Everything that was written to the terminal. */
  output = "";
  /** When the first row of the program was there, by `performance.now()`. */
  firstFrameAt = 0;
  /** How often it rang. */
  bells = 0;
  readonly #emulator: Terminal;
  readonly #decoder = new TextDecoder();
  readonly #scratch: AsyncDisposable;
  readonly #typedAtOnce: string;

  constructor(argv: readonly [string, ...string[]], options: PtyOptions, scratch: AsyncDisposable) {
    const { cols, rows, cwd, env, background } = options;
    this.cwd = cwd;
    this.zotHome = env["ZOT_HOME"] ?? "";
    this.#scratch = scratch;
    this.#typedAtOnce = options.typedAtOnce ?? "";
    this.#emulator = new Terminal({ cols, rows, allowProposedApi: true, scrollback: 1_000 });
    this.#emulator.loadAddon(new UnicodeGraphemesAddon());
    this.#emulator.unicode.activeVersion = "15-graphemes";
    // What the emulator answers to queries is typed by the terminal, as with a real one.
    this.#emulator.onBell(() => {
      this.bells += 1;
    });
    this.#emulator.onData((data) => this.#write(data));
    if (background !== undefined) {
      this.#emulator.parser.registerOscHandler(11, (data) => {
        if (data === "?") this.#write(`\u001b]11;rgb:${background}\u001b\\`);
        return true;
      });
    }
    if (options.keyboardProtocol) {
      this.#emulator.parser.registerCsiHandler({ prefix: "?", final: "u" }, () => {
        this.#write("\u001b[?7u");
        return true;
      });
    }
    this.process = Bun.spawn([...argv], {
      cwd,
      env,
      terminal: { cols, rows, data: (_terminal, bytes) => this.#take(bytes) },
    });
  }

  get cols(): number {
    return this.#emulator.cols;
  }

  get rows(): number {
    return this.#emulator.rows;
  }

  get cursor(): { readonly x: number; readonly y: number } {
    const { cursorX: x, cursorY: y } = this.#emulator.buffer.active;
    return { x, y };
  }

  /** Whether the program has the alternate screen. */
  get isAlternate(): boolean {
    return this.#emulator.buffer.active.type === "alternate";
  }

  /** The rows on the screen, blanks at their ends cut off. */
  get lines(): string[] {
    const { active } = this.#emulator.buffer;
    return Array.from({ length: this.rows }, (_, row) => {
      return (
        active
          .getLine(active.viewportY + row)
          ?.translateToString(true)
          .trimEnd() ?? ""
      );
    });
  }

  get text(): string {
    return this.lines.join("\n");
  }

  /** Colours and attributes of the cell at a place. */
  cell(x: number, y: number) {
    const { active } = this.#emulator.buffer;
    return active.getLine(active.viewportY + y)?.getCell(x);
  }

  type(text: string): void {
    this.#write(text);
  }

  async press(...keys: readonly KeyName[]): Promise<void> {
    for (const key of keys) {
      this.#write(KEYS[key]);
      // An escape that comes together with what follows it is another key.
      if (key === "escape") await Bun.sleep(40);
    }
  }

  paste(text: string): void {
    this.#write(`\u001b[200~${text}\u001b[201~`);
  }

  /** Types a line and sends it. */
  async enter(text: string): Promise<void> {
    this.type(text);
    await this.until(() => this.text.includes(text.slice(0, 9)), `the editor to show ${text.slice(0, 9)}`);
    await this.press("enter");
  }

  resize(cols: number, rows: number): void {
    this.#emulator.resize(cols, rows);
    this.process.terminal?.resize(cols, rows);
  }

  /** Waits until the screen shows `wanted`. */
  async shows(wanted: string | RegExp): Promise<void> {
    const found = (): boolean => (typeof wanted === "string" ? this.text.includes(wanted) : wanted.test(this.text));
    await this.until(found, `the screen to show ${String(wanted)}`);
  }

  async hides(unwanted: string): Promise<void> {
    await this.until(() => !this.text.includes(unwanted), `the screen not to show ${unwanted}`);
  }

  /** Waits for a condition; throws with the screen as it is when it does not come true. */
  async until(condition: () => boolean, what: string): Promise<void> {
    const end = performance.now() + WAIT_MS;
    while (!condition()) {
      if (performance.now() > end) throw new Error(`waited ${WAIT_MS} ms for ${what}; the screen:\n${this.text}`);
      await Bun.sleep(POLL_MS);
    }
  }

  /** Waits until nothing on the screen has moved for a moment. */
  async settles(ms = 250): Promise<void> {
    let last = this.text;
    let since = performance.now();
    const end = since + WAIT_MS;
    while (performance.now() - since < ms && performance.now() < end) {
      await Bun.sleep(POLL_MS);
      if (this.text === last) continue;
      last = this.text;
      since = performance.now();
    }
  }

  /** Waits for the end of the program. */
  async exits(): Promise<number> {
    const code = await Promise.race([this.process.exited, Bun.sleep(WAIT_MS).then(() => undefined)]);
    if (code === undefined) throw new Error(`it did not end within ${WAIT_MS} ms; the screen:\n${this.text}`);
    // The last bytes may come behind the end of the process.
    await Bun.sleep(50);
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.process.exitCode === null) this.process.kill("SIGTERM");
    const ended = await Promise.race([this.process.exited, Bun.sleep(5_000).then(() => undefined)]);
    if (ended === undefined) this.process.kill("SIGKILL");
    this.process.terminal?.close();
    this.#emulator.dispose();
    await this.#scratch[Symbol.asyncDispose]();
  }

  #take(bytes: Uint8Array): void {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.output += text;
    if (this.firstFrameAt === 0 && this.output.includes("zot ")) {
      this.firstFrameAt = performance.now();
      if (this.#typedAtOnce !== "") this.#write(this.#typedAtOnce);
    }
    this.#emulator.write(text);
  }

  #write(data: string): void {
    const { terminal } = this.process;
    // What is typed when nobody is there any more goes nowhere, as with a real terminal.
    if (terminal !== undefined && !terminal.closed) terminal.write(data);
  }
}
