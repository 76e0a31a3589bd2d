import { closeSync, constants, openSync, readSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "../file-error.ts";
import { ChunkPump } from "./chunk-pump.ts";
import type { OutputPipe, TakeChunk } from "./output-pipe.ts";

/** ms; making a named pipe takes one. */
const MKFIFO_MAX_MS = 2000;
/** Twice what a Linux pipe holds: enough for all that was written before `stop`, and an end if the writer goes on. */
const MAX_LEFTOVER_BYTES = 128 * 1024;

/** A named pipe that loses its name as soon as both ends are open, and is a plain pipe from then on. */
export class FifoPipe implements OutputPipe {
  readonly path: string;
  readonly target: number;
  readonly #readEnd: number;
  readonly #pump: ChunkPump;
  #writeEndOpen = true;
  #disposed = false;
  #draining: Promise<void> | null = null;
  #take: TakeChunk | null = null;

  private constructor(path: string, readEnd: number, writeEnd: number) {
    this.path = path;
    this.#readEnd = readEnd;
    this.target = writeEnd;
    this.#pump = new ChunkPump(Bun.file(readEnd).stream().getReader());
  }

  /** Null where none can be made, for whatever reason: there is another way, and a shell must not depend on this one. */
  static async open(mkfifo: string): Promise<FifoPipe | null> {
    try {
      return await FifoPipe.#inPrivateFolder(mkfifo, await mkdtemp(join(tmpdir(), "zot-pipe-")));
    } catch {
      // No temporary folder, no named pipes in it, no file descriptors left: all the same to the caller.
      return null;
    }
  }

  static async #inPrivateFolder(mkfifo: string, folder: string): Promise<FifoPipe | null> {
    try {
      // The name under which /proc will show it.
      const path = join(await realpath(folder), "output");
      const made = Bun.spawn([mkfifo, "-m", "600", path], {
        cwd: folder,
        stdio: ["ignore", "ignore", "ignore"],
        timeout: MKFIFO_MAX_MS,
      });
      if ((await made.exited) !== 0) return null;
      // In this order: an open for reading only does not wait, and one for writing does not as there is a reader.
      const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return new FifoPipe(path, readEnd, openSync(path, constants.O_WRONLY));
      } catch (error) {
        closeSync(readEnd);
        throw error;
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  drain(_child: unknown, take: TakeChunk): Promise<void> {
    this.#take = take;
    // As long as we have the write end ourselves, there is no end of the output.
    this.#closeWriteEnd();
    this.#draining = this.#pump.run(take);
    return this.#draining;
  }

  async stop(): Promise<void> {
    const dry = await this.#pump.stop();
    await this.#draining;
    // Behind a flood that was cut off, more would only be a second piece with a gap before it.
    if (dry && this.#take !== null) await this.#takeLeftover(this.#take);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    this.#closeWriteEnd();
    await this.#pump.cancel();
    closeSync(this.#readEnd);
  }

  /** What came after the last look of the pump: when we were stalled ourselves, quiet may not mean empty. */
  async #takeLeftover(take: TakeChunk): Promise<void> {
    let left = MAX_LEFTOVER_BYTES;
    // A `stop` that was given up may come back here when the number of our end already belongs to another file.
    while (left > 0 && !this.#disposed) {
      const chunk = Buffer.allocUnsafe(left);
      const length = readAvailable(this.#readEnd, chunk);
      if (length === 0) return;
      left -= length;
      await take(chunk.subarray(0, length));
    }
  }

  #closeWriteEnd(): void {
    if (!this.#writeEndOpen) return;
    this.#writeEndOpen = false;
    closeSync(this.target);
  }
}

function readAvailable(fd: number, into: Buffer): number {
  try {
    return readSync(fd, into);
  } catch (error) {
    if (errorCode(error) === "EAGAIN") return 0;
    throw error;
  }
}
