import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Breather } from "./breather.ts";
import { isSessionName } from "./path.ts";
import { describeSession, type SessionSummary } from "./summary.ts";

/**
 * The sessions of one folder, last used first (extension-host.md §6.4), hidden and empty ones included. Reads a bounded
 * part of each file when it is asked for, and lets timers run in between. A folder that is not there has none.
 */
export async function* sessionsIn(folder: string): AsyncGenerator<SessionSummary> {
  const breather = new Breather();
  for (const path of newestFirst(folder)) {
    const summary = described(path);
    if (summary !== undefined) yield summary;
    if (breather.isDue) await breather.pause();
  }
}

/** Folders of all projects. */
export function projectFolders(root: string): string[] {
  return entriesOf(root).flatMap((entry) => (entry.isDirectory() ? join(root, entry.name) : []));
}

function newestFirst(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => isSessionName(entry.name) && (entry.isFile() || entry.isSymbolicLink()))
    .flatMap(({ name }) => {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isFile() === true ? { path, modified: stat.mtimeMs } : [];
    })
    .sort((a, b) => b.modified - a.modified || (a.path < b.path ? 1 : -1))
    .map(({ path }) => path);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Most often there has never been a session here; a folder that cannot be read has none to offer either.
    return [];
  }
}

function described(path: string): SessionSummary | undefined {
  try {
    return describeSession(path);
  } catch {
    // Removed since, or not ours to read: nothing that could be continued.
    return undefined;
  }
}
