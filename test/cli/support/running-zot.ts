import { join } from "node:path";
import { until } from "../../support/until.ts";
import { zotBinary } from "../../support/zot.ts";
import type { ExtHome } from "./ext-home.ts";

/** A `zot ext …` that is watched while it runs, with pipes or on a terminal. Killed at the end of its scope. */
export class RunningZot implements AsyncDisposable {
  readonly #child: Bun.Subprocess;
  readonly #terminal: Bun.Terminal | undefined;
  /** stdout and stderr, or the screen. */
  #text = "";

  private constructor(child: Bun.Subprocess, terminal?: Bun.Terminal) {
    this.#child = child;
    this.#terminal = terminal;
  }

  /** stdout and stderr are pipes. */
  static piped(home: ExtHome, ...args: readonly string[]): RunningZot {
    const child = Bun.spawn([zotBinary, "ext", ...args], {
      cwd: home.project,
      env: environment(home),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const zot = new RunningZot(child);
    for (const stream of [child.stdout, child.stderr]) void zot.#collect(stream);
    return zot;
  }

  static onTerminal(home: ExtHome, ...args: readonly string[]): RunningZot {
    const decoder = new TextDecoder();
    let zot: RunningZot | undefined;
    const terminal = new Bun.Terminal({
      data: (_, data) => {
        if (zot !== undefined) zot.#text += decoder.decode(data, { stream: true });
      },
    });
    zot = new RunningZot(
      Bun.spawn([zotBinary, "ext", ...args], { cwd: home.project, env: environment(home), terminal }),
      terminal,
    );
    return zot;
  }

  get text(): string {
    return this.#text;
  }

  async shows(text: string): Promise<void> {
    await until(`zot shows ${JSON.stringify(text)}; it shows ${JSON.stringify(this.#text)}`, () =>
      this.#text.includes(text),
    );
  }

  /** Keys of the terminal. */
  type(keys: string): void {
    this.#terminal?.write(keys);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Its exit status, 128+n for a signal. */
  get exited(): Promise<number> {
    return this.#child.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
    this.#terminal?.close();
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.#text += decoder.decode(chunk, { stream: true });
  }
}

function environment({ path }: ExtHome): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: join(path, "home"),
    ZOT_HOME: join(path, "zot"),
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
  };
}
