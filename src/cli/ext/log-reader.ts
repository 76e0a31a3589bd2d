import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode, systemText } from "../../host/error.ts";
import { CliError } from "../error.ts";
import { LOG_CHUNK_BYTES, LOG_POLL_MS } from "./limits.ts";

/**
 * The bytes of the log at `path`, and with `follow` what is added to it, through its being emptied or replaced by a
 * new file, until `signal` aborts. A link in the log folder is not followed, as the host does not either. Throws
 * `CliError`.
 */
export async function* readLog(path: string, follow: boolean, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let log = await OpenLog.open(path);
  try {
    for (;;) {
      yield* log.rest(signal);
      if (!follow || !(await pause(signal))) return;
      const next = await log.successor();
      if (next === undefined) continue;
      // What came between the last look and the rotation.
      yield* log.rest(signal);
      await log.close();
      log = next;
    }
  } finally {
    await log.close();
  }
}

class OpenLog {
  readonly #path: string;
  readonly #file: FileHandle;
  #position = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<OpenLog> {
    try {
      // Without O_NONBLOCK a pipe planted in the log folder would hold us for ever.
      const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
      if ((await file.stat()).isFile()) return new OpenLog(path, file);
      await file.close();
    } catch (error) {
      const reason = errorCode(error) === "ELOOP" ? "it is a link, which zot does not follow here" : systemText(error);
      throw new CliError("failed", `cannot read ${path}: ${reason}`, error);
    }
    throw new CliError("failed", `cannot read ${path}: it is not a file`);
  }

  /** Everything from where the last call ended. */
  async *rest(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    // The host empties a log that has grown too large (extension-host.md §1.7).
    if ((await this.#file.stat()).size < this.#position) this.#position = 0;
    while (!signal.aborted) {
      const { bytesRead, buffer } = await this.#file.read(
        new Uint8Array(LOG_CHUNK_BYTES),
        0,
        LOG_CHUNK_BYTES,
        this.#position,
      );
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** The file that has taken this one's place, if one has; undefined also while there is none. */
  async successor(): Promise<OpenLog | undefined> {
    const [there, own] = await Promise.all([statOrNothing(this.#path), this.#file.stat()]);
    if (there === undefined || (there.ino === own.ino && there.dev === own.dev)) return undefined;
    return OpenLog.open(this.#path);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

async function statOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw new CliError("failed", `cannot read ${path}: ${systemText(error)}`, error);
  }
}

/** False when `signal` aborted. */
async function pause(signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(LOG_POLL_MS, undefined, { signal });
    return true;
  } catch {
    // The only failure of a timer is the abort.
    return false;
  }
}
