import type { Database } from "bun:sqlite";
import { unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../../host/error.ts";
import { SESSION_LOCK_WAIT_MS } from "../../wire/limits.ts";

/** How often a lock file may vanish between being opened and being locked before we give up on it. */
const ATTEMPTS = 5;

/** Where the lock of a session file is: beside it and hidden, so that whoever opens the file sees the same lock. */
export function lockPath(sessionPath: string): string {
  return join(dirname(sessionPath), `.${basename(sessionPath)}.lock`);
}

/**
 * The right to write to one session file. It is a lock of the kernel, held through SQLite, the one portable way to such
 * a lock that a compiled binary has: it is gone the moment its holder is, even after SIGKILL, so there is never a stale
 * one to break. The empty lock file is removed on release; what SIGKILL leaves behind is removed by `sweep`.
 */
export class SessionLock implements Disposable {
  readonly #path: string;
  #database: Database | undefined;

  private constructor(path: string, database: Database) {
    this.#path = path;
    this.#database = database;
  }

  /**
   * "busy" when another process, or another session of this one, holds it; "impossible" when there can be no lock here (a
   * folder that is not writable). Blocks for `waitMs` at most.
   */
  static acquire(sessionPath: string, waitMs = SESSION_LOCK_WAIT_MS): SessionLock | "busy" | "impossible" {
    const path = lockPath(sessionPath);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const database = open(path);
      if (database === undefined) return "impossible";
      const outcome = begin(database, waitMs);
      if (outcome === "held") return new SessionLock(path, database);
      database.close();
      if (outcome !== "moved") return outcome;
    }
    return "busy";
  }

  [Symbol.dispose](): void {
    const database = this.#database;
    if (database === undefined) return;
    this.#database = undefined;
    // While it is held, so that nobody else's lock can be under this name.
    const isRemoved = remove(this.#path);
    database.close();
    // Windows keeps open files, and it keeps the file of whoever has opened it by now.
    if (!isRemoved && process.platform === "win32") remove(this.#path);
  }
}

/** Loaded by the first lock: a start without a session to lock should not wait for it. */
function sqlite(): typeof import("bun:sqlite") {
  return require("bun:sqlite");
}

function open(path: string): Database | undefined {
  try {
    return new (sqlite().Database)(path, { create: true, readwrite: true });
  } catch {
    // SQLite has one error for everything that can be wrong with a folder; whoever writes there next learns more.
    return undefined;
  }
}

function begin(database: Database, waitMs: number): "held" | "busy" | "moved" | "impossible" {
  try {
    database.run(`PRAGMA busy_timeout = ${waitMs}`);
    // Nothing is ever written; a journal on disk would be a second file to clean up.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN IMMEDIATE");
  } catch (error) {
    if (errorCode(error)?.startsWith("SQLITE_BUSY") === true) return "busy";
    return hasMoved(database) ? "moved" : "impossible";
  }
  return hasMoved(database) ? "moved" : "held";
}

/** The last holder removes the file: a lock on a file that has lost its name keeps nobody out. */
function hasMoved(database: Database): boolean {
  // SQLite fills in an int; Bun wants room for more.
  const moved = new Int32Array(2);
  database.fileControl(sqlite().constants.SQLITE_FCNTL_HAS_MOVED, moved);
  return moved[0] !== 0;
}

function remove(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    // Gone already, or in a folder that has become read-only; the lock itself ends with the process anyhow.
    return false;
  }
}
