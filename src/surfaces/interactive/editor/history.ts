import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileEnd } from "../text/file-end.ts";

/** Prompts that come back with the arrow keys, and how much of the file is read for them; a longer file is written anew. */
const ENTRIES_MAX = 100;
const READ_MAX_BYTES = 512 * 1024;
/** A longer prompt is a document; it is not remembered. */
const ENTRY_MAX_CHARS = 16 * 1024;

/** What was typed in one project directory, newest last, in `<home>/history/`. A file that cannot be read or written costs only the memory of it. */
export class PromptHistory {
  readonly #path: string;
  #entries: string[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(home: string, cwd: string) {
    const name = new Bun.CryptoHasher("sha256").update(cwd).digest("hex").slice(0, 16);
    this.#path = join(home, "history", `${name}.jsonl`);
  }

  /** The entries of earlier runs, oldest first. To be called once, before the first `add`. */
  load(): readonly string[] {
    const { text, isCut } = readEnd(this.#path);
    const lines = text.split("\n").map(parseEntry);
    this.#entries = lines.filter((entry) => entry !== undefined).slice(-ENTRIES_MAX);
    if (isCut) this.#queue(() => this.#rewrite());
    return this.#entries;
  }

  add(entry: string): void {
    const text = entry.trim();
    if (text === "" || text.length > ENTRY_MAX_CHARS || this.#entries.at(-1) === text) return;
    this.#entries = [...this.#entries, text].slice(-ENTRIES_MAX);
    this.#queue(async () => {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      await appendFile(this.#path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
    });
  }

  /** Resolves when everything is on disk. */
  flush(): Promise<void> {
    return this.#writing;
  }

  async #rewrite(): Promise<void> {
    await writeFile(this.#path, this.#entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), { mode: 0o600 });
  }

  #queue(write: () => Promise<void>): void {
    // Not worth a word to the user: the next prompt is written all the same.
    this.#writing = this.#writing.then(write).catch(() => undefined);
  }
}

function parseEntry(line: string): string | undefined {
  if (line === "") return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" && value.length <= ENTRY_MAX_CHARS ? value : undefined;
  } catch {
    // The first line may be cut, and the last one half written.
    return undefined;
  }
}

/** The last part of a file, and whether there is more before it; "" when there is none. */
function readEnd(path: string): { readonly text: string; readonly isCut: boolean } {
  try {
    return fileEnd(path, READ_MAX_BYTES);
  } catch {
    // The first run in this directory, or a home that cannot be read.
    return { text: "", isCut: false };
  }
}
