import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ignore } from "ignore";
import { safeLine } from "../text/safe-text.ts";

/** Paths that one project offers; a completion over more than this is no help any more. */
const PATHS_MAX = 20_000;
const DEPTH_MAX = 24;
/** What was listed this short a time ago is still right enough for the next key. */
const FRESH_MS = 10_000;
const ALWAYS_IGNORED = [".git", "node_modules", ".hg", ".svn", ".DS_Store"];
const IGNORE_FILE_MAX_CHARS = 256 * 1024;

/** A `.gitignore` and the folder, relative to the root, that its patterns are relative to. */
interface Rules {
  readonly base: string;
  readonly matcher: Ignore;
}

/** Files and folders below the project directory that its `.gitignore` files do not leave out, for `@` completion. */
export class FileIndex {
  readonly #root: string;
  #paths: readonly string[] = [];
  #listedAt = Number.NEGATIVE_INFINITY;
  #listing: Promise<readonly string[]> | undefined;

  /** @param root absolute */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Relative paths with `/`, folders with a `/` at their end. Never rejects: what cannot be read is left out, and so is what has
   * a name that no line of text can hold.
   */
  async paths(): Promise<readonly string[]> {
    if (performance.now() - this.#listedAt < FRESH_MS) return this.#paths;
    this.#listing ??= this.#list().finally(() => {
      this.#listing = undefined;
    });
    return this.#listing;
  }

  async #list(): Promise<readonly string[]> {
    const found: string[] = [];
    await this.#walk("", [], found, 0);
    this.#paths = found;
    this.#listedAt = performance.now();
    return found;
  }

  /** Breadth would need the whole tree in memory; depth first with a limit keeps it small and prunes what is ignored. */
  async #walk(dir: string, rules: readonly Rules[], found: string[], depth: number): Promise<void> {
    if (found.length >= PATHS_MAX || depth > DEPTH_MAX) return;
    // A folder that cannot be read has nothing to offer.
    const entries = await readdir(join(this.#root, dir), { withFileTypes: true }).catch(() => []);
    const own = entries.some(({ name }) => name === ".gitignore") ? await this.#rulesOf(dir) : undefined;
    const all = own === undefined ? rules : [...rules, own];
    const folders: string[] = [];
    for (const entry of entries) {
      if (ALWAYS_IGNORED.includes(entry.name) || found.length >= PATHS_MAX) continue;
      // A prompt with such a name in it would have another one, or move the cursor.
      if (safeLine(entry.name, "strip") !== entry.name) continue;
      const path = `${dir}${entry.name}${entry.isDirectory() ? "/" : ""}`;
      if (isIgnored(path, all)) continue;
      found.push(path);
      if (entry.isDirectory()) folders.push(path);
    }
    for (const folder of folders) await this.#walk(folder, all, found, depth + 1);
  }

  async #rulesOf(dir: string): Promise<Rules | undefined> {
    try {
      const text = await readFile(join(this.#root, dir, ".gitignore"), "utf8");
      const { default: ignore } = await import("ignore");
      return { base: dir, matcher: ignore().add(text.slice(0, IGNORE_FILE_MAX_CHARS)) };
    } catch {
      // It cannot be read, so nothing is known of what it leaves out.
      return undefined;
    }
  }
}

/** The nearest file has the last word, as in git. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { base, matcher } of rules.toReversed()) {
    const { ignored, unignored } = matcher.test(path.slice(base.length));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}
