import { readlink, realpath, stat, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { errorCode, systemText } from "../../../host/error.ts";
import type { LeftOut } from "./left-out.ts";
import { placeWithin } from "./within.ts";

export interface LinkCopy {
  /** The real path of the tree that is copied. */
  readonly from: string;
  readonly to: string;
  readonly leftOut: LeftOut;
}

/**
 * Copies the link at `place` of the tree so that it means the same in the copy, or resolves with the reason why it
 * stays behind: it would lead out of the extension, or nowhere (extension-host.md §7.6).
 */
export async function copyLink({ from, to, leftOut }: LinkCopy, place: string): Promise<string | undefined> {
  const source = join(from, place);
  const target = await readlink(source);
  let real: string;
  try {
    real = await realpath(source);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return `a link to nothing (${target})`;
    return `a link that cannot be followed (${target}: ${systemText(error)})`;
  }
  const end = placeWithin(from, real);
  if (end === undefined) return `a link that leads outside (${target})`;
  if (end.split("/").includes(".git") || leftOut.has(end)) return `a link to something that is left out (${target})`;
  // Straight to its end: the words of the original may be absolute, or go through the name of the source folder.
  const words = relative(dirname(join(to, place)), join(to, end)) || ".";
  await symlink(words, join(to, place), (await stat(real)).isDirectory() ? "dir" : "file");
  return undefined;
}
