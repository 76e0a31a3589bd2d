import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { encodeFrame } from "../../wire/encode.ts";
import { LOG_ENTRY_MAX_CHARS, LOG_ROTATE_BYTES, LOG_RUNNING_MAX_BYTES } from "../../wire/limits.ts";
import type { RawJson } from "../../wire/raw-json.ts";
import { HostError, systemText } from "../error.ts";
import { keepTail } from "./log-tail.ts";
import { logWatch } from "./log-watch.ts";

/** What a `log` frame says (feature `log`). */
export interface LogEntry {
  readonly level: string;
  readonly message: string;
  readonly data?: RawJson;
}

/** Where the log of the extension called `name` is (extension-host.md §1.7). Both absolute. */
export function logPath(home: string, name: string): string {
  return join(home, "logs", `ext-${name}.log`);
}

/**
 * The stderr log of one extension: the child writes to it directly through its own fd 2, the host adds lines of its
 * own that begin with `[zot] `. Both append, so neither overwrites the other.
 */
export class ExtensionLog implements Disposable {
  readonly path: string;
  readonly fd: number;
  readonly #watch: Disposable;
  /** What we wrote ourselves since the file was last measured. */
  #writtenBytes = 0;
  #closed = false;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.fd = fd;
    this.#watch = logWatch.add(() => this.#bound());
    // What a child wrote after its zot was killed.
    this.#bound();
  }

  /**
   * Opens it for appending, rotating a large one to `<name>.log.1` first; of one beyond all bounds only the end is
   * kept. Throws `HostError` "log".
   */
  static open(home: string, name: string): ExtensionLog {
    const path = logPath(home, name);
    try {
      mkdirSync(join(home, "logs"), { recursive: true, mode: 0o700 });
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size > LOG_ROTATE_BYTES && size <= LOG_RUNNING_MAX_BYTES) renameSync(path, `${path}.1`);
      return new ExtensionLog(path, openLog(path));
    } catch (error) {
      throw new HostError("log", `open log: ${path}: ${systemText(error)}`, error);
    }
  }

  /** The banner before a spawn, behind an empty line. */
  start(name: string, version: string): void {
    this.#write(`\n[zot] starting ${name}/${version} at ${localTime(new Date())}\n`);
  }

  line(text: string): void {
    this.#write(`[zot] ${text.replaceAll("\n", "\\n")}\n`);
  }

  /** One line of JSON behind `[log] `, so that a reader tells it from what the child writes itself. */
  entry({ level, message, data }: LogEntry): void {
    const fits = data === undefined || data.text.length <= LOG_ENTRY_MAX_CHARS;
    const fields = {
      time: new Date().toISOString(),
      level,
      message: message.slice(0, LOG_ENTRY_MAX_CHARS),
      ...(fits ? { data } : { data_omitted: `${data.text.length} characters` }),
    };
    this.#write(`[log] ${encodeFrame("log", fields)}`);
  }

  [Symbol.dispose](): void {
    if (this.#closed) return;
    // It may have grown since it was looked at, and nobody looks any more.
    this.#bound();
    this.#closed = true;
    this.#watch[Symbol.dispose]();
    closeSync(this.fd);
  }

  #write(text: string): void {
    if (this.#closed) return;
    try {
      this.#writtenBytes += writeSync(this.fd, text);
      // Frames come faster than the watch looks.
      if (this.#writtenBytes > LOG_RUNNING_MAX_BYTES) this.#bound();
    } catch {
      // A full disk must not end the run, and there is no other place for this line.
    }
  }

  /** A child that writes without end cannot be stopped from here, but its file can be emptied: it appends. */
  #bound(): void {
    this.#writtenBytes = 0;
    if (this.#closed) return;
    try {
      if (fstatSync(this.fd).size <= LOG_RUNNING_MAX_BYTES) return;
      const kept = this.#keepTail() ? `; its end is in ${this.path}.1` : "";
      ftruncateSync(this.fd, 0);
      this.line(`log emptied: it had grown past ${LOG_RUNNING_MAX_BYTES} bytes${kept}`);
    } catch {
      // A log that cannot be measured or cut must not end the run; the next look tries again.
    }
  }

  #keepTail(): boolean {
    try {
      return keepTail(this.path, this.fd);
    } catch {
      // A full disk is one more reason to empty the log.
      return false;
    }
  }
}

/** A link planted in the log folder must not make us write elsewhere, nor a named pipe make us wait for its reader. */
function openLog(path: string): number {
  const guards = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | guards, 0o600);
  if (fstatSync(fd).isFile()) return fd;
  closeSync(fd);
  throw new Error("not a regular file");
}

/** RFC 3339 with the local offset. */
function localTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const pad = (n: number): string => String(Math.floor(Math.abs(n))).padStart(2, "0");
  const shifted = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, 19);
  return `${shifted}${offset < 0 ? "-" : "+"}${pad(offset / 60)}:${pad(offset % 60)}`;
}
