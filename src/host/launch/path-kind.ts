import { statSync } from "node:fs";

/**
 * What a path leads to, through links; undefined for nothing and for what cannot be a path here: words of a manifest
 * or a command line may be too long for one, or go through a file as if it were a folder.
 */
export function pathKind(path: string): "file" | "folder" | "other" | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (stat.isFile()) return "file";
    return stat.isDirectory() ? "folder" : "other";
  } catch {
    // ENOTDIR, ENAMETOOLONG, ELOOP, EACCES, or a NUL: nothing that we could use.
    return undefined;
  }
}
