import type { OutputEnd } from "../../output.ts";
import { OUTPUT_BATCH_BYTES, OUTPUT_MEMORY_CHARS } from "../limits.ts";
import { SpillFile } from "./spill-file.ts";

/**
 * stdout as a queue of lines that never makes its writer wait (rpc-wire.md §1.8): what the reader does not take stays
 * in memory up to a bound and in a private file beyond it, and comes out in the order in which it went in.
 */
export class FrameOutput implements AsyncDisposable {
  readonly #sink = Bun.stdout.writer();
  readonly #onEnd: (end: OutputEnd) => void;
  #memory: string[] = [];
  #memoryChars = 0;
  #spill: SpillFile | undefined;
  #pumping: Promise<void> | undefined;
  #ended = false;

  /** @param onEnd called at most once, when nothing more can be delivered */
  constructor(onEnd: (end: OutputEnd) => void) {
    this.#onEnd = onEnd;
  }

  /** Queues one complete line, its LF included. Never throws. */
  write(line: string): void {
    if (this.#ended) return;
    try {
      if (this.#spill?.isEmpty === false || this.#isFullWith(line)) this.#spilled().append(line);
      else this.#remember(line);
    } catch (error) {
      this.#end(error);
      return;
    }
    this.#pumping ??= this.#pump();
  }

  /** The reader has not taken yet what was written before. */
  get isBehind(): boolean {
    return this.#pumping !== undefined;
  }

  /** Resolves when the reader has taken everything, or is gone. */
  async delivered(): Promise<void> {
    while (this.#pumping !== undefined) await this.#pumping;
  }

  /** Drops what was not delivered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#drop();
  }

  #isFullWith(line: string): boolean {
    // The first line is always taken: the bound is for what piles up behind a reader, not for one answer.
    return this.#memory.length > 0 && this.#memoryChars + line.length > OUTPUT_MEMORY_CHARS;
  }

  #remember(line: string): void {
    this.#memory.push(line);
    this.#memoryChars += line.length;
  }

  #spilled(): SpillFile {
    this.#spill ??= new SpillFile();
    return this.#spill;
  }

  async #pump(): Promise<void> {
    // Lines of the same tick leave together.
    await Promise.resolve();
    try {
      for (let batch = this.#take(); batch !== undefined && !this.#ended; batch = this.#take()) {
        const written = this.#sink.write(batch);
        const flushed = this.#sink.flush();
        // Numbers: the kernel took it. A promise: the reader must read on.
        if (written instanceof Promise || flushed instanceof Promise) await Promise.all([written, flushed]);
      }
    } catch (error) {
      this.#end(error);
    } finally {
      this.#pumping = undefined;
    }
  }

  /** The oldest output, about one batch. Memory is older than the file: once that holds something, all goes there. */
  #take(): string | Uint8Array | undefined {
    if (this.#memory.length === 0) {
      if (this.#spill === undefined || this.#spill.isEmpty) return undefined;
      return this.#spill.take();
    }
    let chars = 0;
    let count = 0;
    while (count < this.#memory.length && chars < OUTPUT_BATCH_BYTES) {
      chars += this.#memory[count]?.length ?? 0;
      count += 1;
    }
    const batch = this.#memory.splice(0, count).join("");
    this.#memoryChars -= chars;
    return batch;
  }

  #end(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#drop();
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EPIPE" || code === "ECONNRESET") this.#onEnd("reader_gone");
    else this.#onEnd({ error: error instanceof Error ? error.message : String(error) });
  }

  #drop(): void {
    this.#memory = [];
    this.#memoryChars = 0;
    this.#spill?.[Symbol.dispose]();
    this.#spill = undefined;
  }
}
