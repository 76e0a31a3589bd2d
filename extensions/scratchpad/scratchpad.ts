import { appendFile, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";

/** How much of the end of the file is shown: enough for people, affordable for a model. */
const SHOWN_BYTES = 16 * 1024;
const MAX_NOTE_CHARS = 4_000;

/** Notes in a Markdown file, the newest last. */
export class Scratchpad {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Appends a note as a list item, with its date. Throws when there is nothing to note. */
  async add(text: string): Promise<void> {
    const note = text.trim().slice(0, MAX_NOTE_CHARS);
    if (note === "") throw new Error("a note needs a text");
    await mkdir(dirname(this.path), { recursive: true });
    // Further lines are indented, so that they stay part of the item.
    await appendFile(this.path, `- ${new Date().toISOString().slice(0, 10)} ${note.replaceAll("\n", "\n  ")}\n`);
  }

  /** The end of the file; undefined when there is none. */
  async read(): Promise<string | undefined> {
    try {
      await using file = await open(this.path);
      const { size } = await file.stat();
      const start = Math.max(0, size - SHOWN_BYTES);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
      const text = buffer.toString("utf8", 0, bytesRead);
      // Cut at a line, which is also no place inside a character.
      return start === 0 ? text : `…\n${text.slice(text.indexOf("\n") + 1)}`;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }
}
