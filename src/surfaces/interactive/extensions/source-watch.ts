import { type Dirent, type FSWatcher, readdirSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathKind } from "../../../host/launch/path-kind.ts";
import { holdsSources, isExtensionSource } from "./source-files.ts";

/** Folders watched at most; a tree that has more is none of an extension's sources. */
export const WATCHED_FOLDERS_MAX = 256;
/** Names remembered of one burst of changes. */
const CHANGED_MAX = 64;
/** An editor saves in several steps, and a person several files. */
const QUIET_MS = 100;
/** A tree in which something changes all the time still gets its reload. */
const PATIENCE_MS = 2_000;

export interface SourceWatchParts {
  /** Absolute paths of folders, which are watched with all below them, and of single files. */
  readonly paths: readonly string[];
  /** Sources changed and have been quiet since: their names, without repetition. */
  changed(names: readonly string[]): void;
  /** Something will not be watched. */
  fault(text: string): void;
}

/** Tells when sources of extensions change on disk. Dispose it to stop watching. */
export class SourceWatch implements Disposable {
  readonly #parts: SourceWatchParts;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Files that are watched by themselves, since their folder may hold anything. */
  readonly #files = new Set<string>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;
  #isFull = false;

  constructor(parts: SourceWatchParts) {
    this.#parts = parts;
    // Whole folders first: a file in one of them is watched already.
    for (const path of parts.paths) if (isFolder(path)) this.#watchTree(path);
    for (const path of parts.paths) {
      if (isFolder(path)) continue;
      // The file itself may be replaced by another one, as editors do; its folder stays.
      this.#files.add(path);
      this.#watch(dirname(path), (name) => this.#files.has(join(dirname(path), name)));
    }
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watchTree(folder: string): void {
    this.#watch(folder, (name) => {
      const path = join(folder, name);
      if (isExtensionSource(path)) return true;
      // A folder that is new, or was moved here with sources in it.
      if (holdsSources(name) && isFolder(path) && !this.#watchers.has(path)) this.#watchTree(path);
      return false;
    });
    for (const entry of entriesOf(folder)) {
      // Links are not followed: they lead out of the extension, or in a circle.
      if (entry.isDirectory() && holdsSources(entry.name)) this.#watchTree(join(folder, entry.name));
    }
  }

  /** @param counts whether a change of this name in the folder is one of a source */
  #watch(folder: string, counts: (name: string) => boolean): void {
    if (this.#watchers.has(folder)) return;
    if (this.#watchers.size >= WATCHED_FOLDERS_MAX) {
      if (!this.#isFull) this.#parts.fault(`--watch: only the first ${WATCHED_FOLDERS_MAX} folders are watched`);
      this.#isFull = true;
      return;
    }
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name !== null && counts(name)) this.#note(name);
        // One that comes back under the same name is another folder and needs another watcher.
        if (!isFolder(folder)) this.#forget(folder);
      });
      this.#watchers.set(folder, watcher);
      watcher.on("error", () => this.#forget(folder));
    } catch (error) {
      this.#parts.fault(`--watch: ${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    if (!this.#watchers.delete(folder)) return;
    if (this.#parts.paths.includes(folder)) this.#parts.fault(`--watch: ${folder} is gone and not watched any more`);
  }

  #note(name: string): void {
    const now = performance.now();
    if (this.#changed.size === 0) this.#firstAt = now;
    if (this.#changed.size < CHANGED_MAX) this.#changed.add(basename(name));
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#firstAt + PATIENCE_MS - now);
    this.#timer = setTimeout(
      () => {
        const names = [...this.#changed];
        this.#changed.clear();
        this.#parts.changed(names);
      },
      Math.min(QUIET_MS, left),
    );
  }
}

function isFolder(path: string): boolean {
  return pathKind(path) === "folder";
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // It went away, or is not ours to read: there is nothing in it to watch.
    return [];
  }
}
