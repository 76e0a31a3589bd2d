import { appendFile, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";

/** Beyond this the file is put aside, in place of the one put aside before. */
const MAX_BYTES = 1024 * 1024;
/** Arguments may be whole files; the record is for reading. */
const MAX_TEXT = 500;

export interface AuditEntry {
  readonly event: "seen" | "blocked" | "limited";
  readonly tool: string;
  readonly detail: string;
}

/** What the model tried to run, one JSON object a line, in the order in which it happened. */
export class Audit {
  readonly #path: string;
  readonly #old: string;
  #tail: Promise<void> = Promise.resolve();

  constructor(dir: string) {
    this.#path = join(dir, "audit.ndjson");
    this.#old = join(dir, "audit.old.ndjson");
  }

  /** Adds a line; resolves when it is on disk, rejects when it cannot be. */
  async record({ event, tool, detail }: AuditEntry): Promise<void> {
    const line = JSON.stringify({ time: new Date().toISOString(), event, tool, detail: detail.slice(0, MAX_TEXT) });
    const written = this.#tail.then(() => this.#append(`${line}\n`));
    // One lost line must not take the later ones with it; whoever asked for this one is told.
    this.#tail = written.catch(() => undefined);
    await written;
  }

  /** What was blocked of late, newest first, one line each. */
  async blocked(count: number): Promise<string[]> {
    await this.#tail;
    const lines = (await textOf(this.#path)).trimEnd().split("\n").reverse();
    return lines.flatMap((line) => blockedIn(line) ?? []).slice(0, count);
  }

  async #append(line: string): Promise<void> {
    const size = await sizeOf(this.#path);
    if (size > MAX_BYTES) await rename(this.#path, this.#old);
    await appendFile(this.#path, line, { mode: 0o600 });
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

/** A line of the file in words, when it tells of a blocked call; the file is the user's, too, and may hold anything. */
function blockedIn(line: string): string | undefined {
  if (!line.includes('"blocked"')) return undefined;
  try {
    const { time, event, tool, detail } = Object(JSON.parse(line));
    return event === "blocked" ? `${String(time)} ${String(tool)}: ${String(detail)}` : undefined;
  } catch {
    // Cut off by a crash, or edited: not a line of ours.
    return undefined;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    // Not there yet. Anything worse shows when the line is written.
    return 0;
  }
}
