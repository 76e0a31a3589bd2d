import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { BuildError } from "./error.ts";
import { dist } from "./project.ts";

const WAIT_MS = 15 * 60_000;

/**
 * Runs `action` while no other process of this checkout is in here. SQLite's lock is the kernel's: it is gone the
 * moment its holder is, even after SIGKILL, so there is never a stale one to break.
 */
export async function withBuildLock<T>(action: () => Promise<T>): Promise<T> {
  mkdirSync(dist, { recursive: true });
  using database = new Database(join(dist, ".lock"), { create: true });
  acquire(database);
  return await action();
}

function acquire(database: Database): void {
  if (tryAcquire(database, 0)) return;
  console.error("another build of this checkout is running; waiting for it ...");
  if (!tryAcquire(database, WAIT_MS)) {
    throw new BuildError(`another build of this checkout still runs after ${WAIT_MS / 60_000} minutes`);
  }
}

function tryAcquire(database: Database, waitMs: number): boolean {
  database.run(`PRAGMA busy_timeout = ${waitMs}`);
  try {
    database.run("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return false;
    throw error;
  }
}
