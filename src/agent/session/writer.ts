import { mkdirSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode, systemText } from "../../host/error.ts";
import { SessionLock } from "./lock.ts";
import { newSessionPath } from "./path.ts";
import { SessionFile } from "./session-file.ts";
import { sweep } from "./sweep.ts";

/** Names tried before a new session gives up. */
const NAMES = 5;

/** What a session needs from those around it. */
export interface Surroundings {
  /** Folder of new sessions, absolute. */
  readonly folder: string;
  readonly cwd: string;
  /** Of this host; goes into `meta` rows. */
  readonly version: string;
  /** False: everything stays in memory, as was asked for. */
  readonly saves: boolean;
  /** One sentence for the user. */
  warn(text: string): void;
}

export interface WriterOptions {
  /** Absolute. */
  readonly path: string;
  /** Bytes that it has already; undefined for a file that is made with the first row. */
  readonly size: number | undefined;
  readonly lock: SessionLock | "impossible" | undefined;
  readonly surroundings: Surroundings;
  /** Makes the `meta` row. */
  header(): string;
}

/**
 * Saves rows, and holds the lock. The first row that cannot be saved ends the saving, with one warning: the turn goes on
 * in memory, and a file with a hole in it would be worse than a shorter one.
 */
export class SessionWriter {
  readonly #options: WriterOptions;
  #path: string;
  #lock: SessionLock | "impossible" | undefined;
  #file: SessionFile | undefined;
  /** Nothing is written: a row could not be saved, or none is to be. */
  #isOff: boolean;
  #isClosed = false;

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#isOff = !options.surroundings.saves;
    this.#path = options.path;
    this.#lock = options.lock;
  }

  get path(): string {
    return this.#path;
  }

  /** False from the first failure on, and when nothing is to be saved. */
  get isSaving(): boolean {
    return !this.#isOff;
  }

  /** Whether there is a file. */
  get exists(): boolean {
    return this.#file !== undefined || this.#options.size !== undefined;
  }

  /** Bytes of the file that are known to be rows of this session. */
  get end(): number {
    return this.#file?.end || (this.#options.size ?? 0);
  }

  /** Whether this writer has written to the file. */
  get hasWritten(): boolean {
    return this.#file !== undefined;
  }

  /** The offset of the row in the file; undefined when it is not saved. Never throws. */
  write(row: string): number | undefined {
    if (this.#isOff || this.#isClosed) return undefined;
    const isNew = !this.exists;
    try {
      this.#file ??= this.#options.size === undefined ? this.#create() : this.#open();
      return this.#file.append(row);
    } catch (error) {
      const isEmpty = isNew && this.#file !== undefined;
      this.#release();
      this.#isOff = true;
      if (isEmpty) removeEmpty(this.#path);
      const { warn } = this.#options.surroundings;
      warn(`the session is not saved from here on: ${this.#path}: ${systemText(error)}; it goes on in memory`);
      return undefined;
    }
  }

  /** `isEmpty`: a file that this writer made is removed, since there is nothing to come back to (§6.4). */
  close(isEmpty: boolean): void {
    if (this.#isClosed) return;
    const isOurs = this.#file !== undefined && this.#options.size === undefined;
    this.#closeFile();
    if (!this.#isOff && isEmpty && isOurs) removeEmpty(this.#path);
    this.#release();
    this.#isClosed = true;
  }

  #open(): SessionFile {
    const file = SessionFile.open(this.#path, this.#options.header);
    if (this.#lock === "impossible") this.#warnUnlocked();
    return file;
  }

  /** The lock first: the file can be seen, and continued, as soon as it is there. */
  #create(): SessionFile {
    const { folder, warn } = this.#options.surroundings;
    for (let name = 0; name < NAMES; name += 1) {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const file = this.#createLocked();
      if (file !== undefined) {
        if (this.#lock === "impossible") this.#warnUnlocked();
        if (dirname(this.#path) === folder) sweep(folder);
        return file;
      }
      const taken = this.#path;
      this.#path = newSessionPath(folder, new Date());
      warn(`the session file ${taken} is taken; this session is saved to ${this.#path}`);
    }
    throw new Error("no free file name");
  }

  /** Undefined when the name is taken. */
  #createLocked(): SessionFile | undefined {
    const lock = SessionLock.acquire(this.#path);
    if (lock === "busy") return undefined;
    this.#lock = lock;
    try {
      return SessionFile.create(this.#path, this.#options.header);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      this.#release();
      return undefined;
    }
  }

  #release(): void {
    this.#closeFile();
    if (this.#lock instanceof SessionLock) this.#lock[Symbol.dispose]();
    this.#lock = undefined;
  }

  /** Some file systems report only now that they had no room. */
  #closeFile(): void {
    try {
      this.#file?.[Symbol.dispose]();
    } catch (error) {
      const { warn } = this.#options.surroundings;
      warn(`the end of the session may not be saved: ${this.#path}: ${systemText(error)}`);
    }
  }

  #warnUnlocked(): void {
    const { warn } = this.#options.surroundings;
    warn(`the session ${this.#path} cannot be locked: a second zot that continues it would not be noticed`);
  }
}

function removeEmpty(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Removed by somebody else: that is what was wanted.
  }
}
