import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { SESSION_SWEEP_MAX } from "../../wire/limits.ts";
import { SessionLock } from "./lock.ts";

const LEFTOVER = /^\.(\d{8}-\d{6}-[0-9a-f]{8}\.jsonl)\.(lock|tmp)$/;

/** Where a fork is put together before it gets its name; only the holder of the session's lock may touch it. */
export function draftPath(folder: string, name: string): string {
  return join(folder, `.${name}.tmp`);
}

/**
 * Removes what processes that were killed have left in a folder of sessions: locks that nobody holds, half-written forks.
 * Never throws: tidying up is no reason to fail.
 */
export function sweep(folder: string): void {
  for (const name of leftovers(folder)) {
    const lock = SessionLock.acquire(join(folder, name), 0);
    if (lock === "impossible") return;
    if (lock === "busy") continue;
    removeDraft(draftPath(folder, name));
    lock[Symbol.dispose]();
  }
}

/** Never throws: what cannot be removed is in nobody's way. */
export function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder has become read-only.
  }
}

/** Names of sessions that have a leftover, a bounded number of them. */
function leftovers(folder: string): string[] {
  try {
    const names = readdirSync(folder).flatMap((name) => LEFTOVER.exec(name)?.[1] ?? []);
    return [...new Set(names)].slice(0, SESSION_SWEEP_MAX);
  } catch {
    // A folder that cannot be read holds nothing that we could remove.
    return [];
  }
}
