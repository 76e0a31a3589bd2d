import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { SESSION_ROW_MAX_BYTES } from "../../wire/limits.ts";
import { isRecord } from "./json.ts";

const LF = 0x0a;
const BACKWARD_BYTES = 64 * 1024;
/**
 * Not 0644, as upstream has it: a transcript holds what files and commands printed, keys included. Its readers run as
 * the same user, so they lose nothing.
 */
const FILE_MODE = 0o600;

/**
 * The writing end of a session file: append only, one `write` a row (extension-host.md §6.3), so that a killed process
 * leaves whole rows. A row is in the kernel's hands when `append` returns; it survives the process, not a power cut.
 */
export class SessionFile implements Disposable {
  readonly #fd: number;
  /** Makes the row that a file begins with. */
  readonly #header: () => string;
  /** Where our last row ended; -1 before the first. */
  #end = -1;
  #isOpen = true;

  private constructor(fd: number, header: () => string) {
    this.#fd = fd;
    this.#header = header;
  }

  /** Throws the operating system's error, EEXIST among them: a session never takes over a file that it did not read. */
  static create(path: string, header: () => string): SessionFile {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL;
    return new SessionFile(openSync(path, flags, FILE_MODE), header);
  }

  static open(path: string, header: () => string): SessionFile {
    return new SessionFile(openSync(path, constants.O_RDWR | constants.O_APPEND), header);
  }

  /** Bytes up to the end of our last row. */
  get end(): number {
    return Math.max(this.#end, 0);
  }

  /** Writes one row, its LF added, and returns the offset of its first byte. Throws when it is not wholly written. */
  append(row: string): number {
    const { size, nlink } = fstatSync(this.#fd);
    // Rows written to a file without a name are lost without an error.
    if (nlink === 0) throw new Error("the file was removed while it was in use");
    // Somebody else has written, or it is our first row: its last line may lack its end.
    const start = size === this.#end ? size : this.#mendTail(size);
    if (start > 0) return this.#write(row, start);
    this.#write(this.#header(), 0);
    return this.#write(row, this.#end);
  }

  [Symbol.dispose](): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    closeSync(this.#fd);
  }

  #write(row: string, start: number): number {
    const bytes = Buffer.from(`${row}\n`);
    if (bytes.length > SESSION_ROW_MAX_BYTES) throw new Error(`a row of ${bytes.length} bytes is too large`);
    const written = this.#writeOnce(bytes, start);
    if (written < bytes.length) throw new Error("no space left on device");
    this.#end = start + bytes.length;
    return start;
  }

  /** Takes a half-written row back, unless somebody else has written behind it. */
  #writeOnce(bytes: Buffer, start: number): number {
    const written = writeSync(this.#fd, bytes);
    const isHalf = written > 0 && written < bytes.length;
    if (isHalf && fstatSync(this.#fd).size === start + written) ftruncateSync(this.#fd, start);
    return written;
  }

  /**
   * Repairs a last line without LF and returns the new size. A row that is whole but for its LF gets it; what is left of
   * a row that was never finished is cut off, for a strict reader refuses the whole session because of it and the next
   * row must not run into it.
   */
  #mendTail(size: number): number {
    if (size === 0) return 0;
    const start = this.#lastLineStart(size);
    if (start === size) return size;
    const tail = Buffer.alloc(size - start);
    if (readSync(this.#fd, tail, 0, tail.length, start) < tail.length) throw new Error("its last line cannot be read");
    if (isObject(tail.toString("utf8"))) {
      writeSync(this.#fd, "\n");
      return size + 1;
    }
    // The first line is never ours to cut: a file that does not begin with a row is no session.
    if (start === 0) throw new Error("the file is no session any more");
    ftruncateSync(this.#fd, start);
    return start;
  }

  /** The offset behind the last LF. */
  #lastLineStart(size: number): number {
    const window = Buffer.alloc(BACKWARD_BYTES);
    for (let end = size; end > 0; ) {
      const from = Math.max(0, end - window.length);
      const length = readSync(this.#fd, window, 0, end - from, from);
      const lf = window.subarray(0, length).lastIndexOf(LF);
      if (lf !== -1) return from + lf + 1;
      if (size - from > SESSION_ROW_MAX_BYTES) throw new Error("its last line is too long to be a row");
      end = from;
    }
    return 0;
  }
}

function isObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    // The beginning of an object is never valid JSON, so this is a row that was cut short.
    return false;
  }
}
