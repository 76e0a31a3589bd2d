import { closeSync, ftruncateSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OUTPUT_BATCH_BYTES, OUTPUT_SPILL_MAX_BYTES } from "../limits.ts";

/**
 * A first-in, first-out file of bytes that nobody else can read (rpc-wire.md §1.8). Where the system allows it the file
 * has no name from the start, so that nothing of it is left however we end. Its methods throw what the file system does.
 */
export class SpillFile implements Disposable {
  readonly #dir: string;
  readonly #fd: number;
  #read = 0;
  #written = 0;

  constructor() {
    this.#dir = mkdtempSync(join(tmpdir(), "zot-rpc-output-"));
    try {
      this.#fd = openSync(join(this.#dir, "frames"), "wx+", 0o600);
    } catch (error) {
      rmSync(this.#dir, { recursive: true, force: true });
      throw error;
    }
    // Windows keeps the name of a file that is open; there it goes with the dispose.
    if (process.platform !== "win32") rmSync(this.#dir, { recursive: true, force: true });
  }

  get isEmpty(): boolean {
    return this.#read === this.#written;
  }

  append(text: string): void {
    const bytes = Buffer.from(text);
    if (this.#written + bytes.length > OUTPUT_SPILL_MAX_BYTES) {
      throw new Error(`the reader is ${OUTPUT_SPILL_MAX_BYTES} bytes behind`);
    }
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#fd, bytes, done, bytes.length - done, this.#written + done);
    }
    this.#written += bytes.length;
  }

  /** The oldest bytes, at most one batch; empty when there are none. */
  take(): Uint8Array {
    const bytes = Buffer.allocUnsafe(Math.min(OUTPUT_BATCH_BYTES, this.#written - this.#read));
    const size = readSync(this.#fd, bytes, 0, bytes.length, this.#read);
    if (size === 0 && bytes.length > 0) throw new Error("the spill file is shorter than what was written to it");
    this.#read += size;
    if (this.isEmpty) this.#reset();
    return bytes.subarray(0, size);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #reset(): void {
    ftruncateSync(this.#fd, 0);
    this.#read = 0;
    this.#written = 0;
  }
}
