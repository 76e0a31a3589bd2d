import { dirname, join } from "node:path";
import { readSmallFile } from "../host/launch/small-file.ts";

/** Of one file this much is used: it goes into every request. */
const CONTEXT_FILE_MAX_CHARS = 128 * 1024;
/** A file larger than this is no text that somebody wrote for an agent. */
const CONTEXT_FILE_MAX_BYTES = 8 * 1024 * 1024;

export interface ContextFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The AGENTS.md files that apply (extension-host.md §8.4): the home's first, then from the root of the file system
 * down to `cwd`, so that the nearest has the last word. Missing and unreadable ones are left out.
 */
export function contextFiles(home: string, cwd: string): ContextFile[] {
  const dirs = [home, ...ancestors(cwd)];
  return [...new Set(dirs)].map(readContextFile).filter((file) => file !== undefined);
}

function ancestors(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [...ancestors(parent), dir];
}

function readContextFile(dir: string): ContextFile | undefined {
  for (const name of ["AGENTS.md", "AGENTS.MD"]) {
    const path = join(dir, name);
    try {
      const text = readSmallFile(path, CONTEXT_FILE_MAX_BYTES);
      return {
        path,
        text: text.length > CONTEXT_FILE_MAX_CHARS ? `${text.slice(0, CONTEXT_FILE_MAX_CHARS)}\n[cut]` : text,
      };
    } catch {
      // Not there, no file, or not ours to read: then it does not apply.
    }
  }
  return undefined;
}
