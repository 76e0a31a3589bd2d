import { readFileSync, statSync } from "node:fs";
import { mkdir, open, readlink, rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";

const JSON_MAX_BYTES = 1024 * 1024;
/** Links that lead from one to the next; more of them are a circle. */
const LINKS_MAX = 40;

export type JsonObject = Readonly<Record<string, unknown>>;

/** What a file holds; an empty object when there is none. `fault` is one line for a human. */
export type JsonFile = { readonly value: JsonObject } | { readonly fault: string };

/** Reads a file that holds one JSON object. Never throws. */
export function readJsonFile(path: string): JsonFile {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { value: {} };
    if (!stat.isFile() || stat.size > JSON_MAX_BYTES) return { fault: `${path}: not a file of at most 1 MiB` };
    const value = parsed(readFileSync(path, "utf8").replace(/^\ufeff/, ""));
    return isObject(value) ? { value } : { fault: `${path}: not a JSON object` };
  } catch (error) {
    return { fault: `${path}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Undefined when it is no JSON. The runtime's own words for why would quote the text, and the file may hold keys. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Replaces the file by `value`, whole or not at all, readable by its owner alone; behind a link, the file that it leads to.
 * Rejects with the error of the file system.
 */
export async function writeJsonFile(link: string, value: JsonObject): Promise<void> {
  const path = await endOfLinks(link);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await using file = await open(draft, "wx", 0o600);
    await file.writeFile(`${JSON.stringify(value, undefined, 2)}\n`);
    await file.sync();
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Where the file is, for one that is kept elsewhere and linked to (dotfiles); also when it is not there yet. */
async function endOfLinks(path: string): Promise<string> {
  let end = path;
  for (let links = 0; links < LINKS_MAX; links++) {
    const target = await readlink(end).catch(() => undefined);
    // Not a link, or not there: this is the place.
    if (target === undefined) return end;
    end = resolve(dirname(end), target);
  }
  throw new Error(`${path}: too many links`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
