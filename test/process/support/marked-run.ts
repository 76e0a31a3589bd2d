import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";
import { until } from "../../support/until.ts";
import { zotBinary } from "../../support/zot.ts";
import { writeFamilies } from "./families.ts";

const MARK = "ZOT_TEST_MARK";
/** A dozen runs of a dozen programs each may start side by side on a small machine. */
const START_MS = 25_000;

/** A process that bears the mark of a run. */
export interface Marked {
  readonly pid: number;
  /** Name of the extension that it belongs to; the project folder for zot itself. */
  readonly owner: string;
  readonly argv: string;
}

/** How zot is started: with pipes, or on a terminal of its own whose foreground it has. */
export type Seat = "pipes" | "terminal";

/**
 * A zot with every family of extensions, whose processes and all that they start are known by a mark in their
 * environment. Whatever is left at the end of the scope is killed, each by its process id.
 */
export class MarkedRun implements AsyncDisposable {
  readonly process: Bun.Subprocess;
  readonly extensions: readonly string[];
  readonly #dir: TempDir;
  readonly #mark: string;
  #output = "";

  private constructor(dir: TempDir, extensions: readonly string[], args: readonly string[], seat: Seat) {
    this.#dir = dir;
    this.extensions = extensions;
    this.#mark = crypto.randomUUID();
    const argv = [zotBinary, ...args, "--provider", "offline", "--no-ext"];
    for (const path of extensions) argv.push("--ext", path);
    const options = { cwd: join(dir.path, "project"), env: this.#environment() };
    const decoder = new TextDecoder();
    const take = (bytes: Uint8Array): void => {
      this.#output += decoder.decode(bytes, { stream: true });
    };
    if (seat === "terminal") {
      this.process = Bun.spawn(argv, {
        ...options,
        terminal: { cols: 100, rows: 40, data: (_, bytes) => take(bytes) },
      });
      return;
    }
    const child = Bun.spawn(argv, { ...options, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
    this.process = child;
    for (const stream of [child.stdout, child.stderr]) void collect(stream, take);
  }

  /** @param args of zot, besides the model and the extensions */
  static async start(args: readonly string[], seat: Seat): Promise<MarkedRun> {
    const dir = await tempDir("zot-kill-");
    for (const folder of ["project", "home", "zot"]) await mkdir(join(dir.path, folder));
    return new MarkedRun(dir, await writeFamilies(join(dir.path, "ext")), args, seat);
  }

  /** All living processes of this run, zot among them. */
  get marked(): readonly Marked[] {
    const sign = `${MARK}=${this.#mark}`;
    return readdirSync("/proc").flatMap((entry) => {
      const pid = Number(entry);
      const environment = Number.isInteger(pid) ? processFile(pid, "environ") : [];
      if (!environment.includes(sign)) return [];
      const folder = environment.findLast((variable) => variable.startsWith("PWD="))?.slice("PWD=".length) ?? "";
      return [{ pid, owner: basename(folder), argv: processFile(pid, "cmdline").join(" ") }];
    });
  }

  /** Waits until all extensions are what they are to be, and the output shows `text`. */
  async isUp(text = ""): Promise<void> {
    const isUp = (): boolean => {
      return this.extensions.every((path) => existsSync(join(path, "up"))) && this.#output.includes(text);
    };
    await until("every extension to be up", isUp, START_MS).catch((error: unknown) => {
      throw new Error(`${String(error)}; the output: ${JSON.stringify(this.#output)}`);
    });
  }

  /** Waits until so many processes have been started by zot. */
  async hasStarted(count: number): Promise<void> {
    await until(`${count} processes beside zot`, () => this.marked.length > count);
  }

  /** Makes an empty file in the project. */
  write(name: string): void {
    writeFileSync(join(this.#dir.path, "project", name), "");
  }

  /** Keys of the terminal. */
  type(keys: string): void {
    this.process.terminal?.write(keys);
  }

  /** The terminal goes away. */
  hangUp(): void {
    this.process.terminal?.close();
  }

  /** The other end of its stdin is closed. */
  endInput(): void {
    const { stdin } = this.process;
    if (typeof stdin === "object") void stdin.end();
  }

  /** Waits until none of its processes for which `counts` is true is left; names those that are after `ms`. */
  async leavesNobody(ms: number, counts: (marked: Marked) => boolean = () => true): Promise<void> {
    let left: readonly Marked[] = [];
    const gone = (): boolean => {
      left = this.marked.filter(counts);
      return left.length === 0;
    };
    await until("the end of all", gone, ms).catch(() => undefined);
    if (!gone()) throw new Error(`left after ${ms} ms:\n${left.map((each) => JSON.stringify(each)).join("\n")}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A process that forks while it is looked for is found the next time.
    await until("the end of what a test has left", () => {
      for (const { pid } of this.marked) endNow(pid);
      return this.marked.length === 0;
    });
    await this.process.exited;
    this.process.terminal?.close();
    await this.#dir[Symbol.asyncDispose]();
  }

  #environment(): Record<string, string> {
    const { path } = this.#dir;
    return {
      PATH: process.env["PATH"] ?? "",
      HOME: join(path, "home"),
      ZOT_HOME: join(path, "zot"),
      PWD: join(path, "project"),
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      [MARK]: this.#mark,
    };
  }
}

/** The NUL-terminated words of a file of a process; none when the process has gone, is dead, or is somebody else's. */
function processFile(pid: number, name: "environ" | "cmdline"): string[] {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8").split("\0");
  } catch {
    // It ended while we looked, or belongs to another user; either way it is none of this run.
    return [];
  }
}

function endNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    // It ended by itself in the same moment.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function collect(stream: ReadableStream<Uint8Array>, take: (bytes: Uint8Array) => void): Promise<void> {
  for await (const chunk of stream) take(chunk);
}
