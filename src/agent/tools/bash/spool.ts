import { type FileHandle, mkdtemp, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureReason } from "../file-error.ts";
import { SPOOL_MAX_BYTES } from "../limits.ts";

/**
 * The complete output of one command in a file of its own (extension-host.md §8.1 BUG-45): 0600 in a 0700 folder. It
 * is left there, for the model, the user or a resumed session to read. A full disk ends the spool, not the command.
 */
export class Spool implements AsyncDisposable {
  readonly path: string;
  readonly #file: FileHandle;
  #bytes = 0;
  #problem: string | null = null;

  private constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  /** Throws the file system's errors. */
  static async create(): Promise<Spool> {
    const path = join(await mkdtemp(join(tmpdir(), "zot-output-")), "output.log");
    return new Spool(path, await open(path, "wx", 0o600));
  }

  /** Why the file does not hold everything, in words; null as long as it does. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Never throws: the first failure becomes `problem` and ends the writing. */
  async write(chunk: Uint8Array): Promise<void> {
    if (this.#problem !== null) return;
    const room = chunk.subarray(0, SPOOL_MAX_BYTES - this.#bytes);
    try {
      await this.#file.writeFile(room);
      this.#bytes += room.length;
      if (room.length < chunk.length) this.#problem = `only the first ${SPOOL_MAX_BYTES} bytes`;
    } catch (error) {
      this.#problem = `incomplete: ${failureReason(error)}`;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await this.#file.close();
    } catch (error) {
      this.#problem ??= `incomplete: ${failureReason(error)}`;
    }
  }
}
