import type { Stats } from "node:fs";
import {
  access,
  constants,
  type FileHandle,
  lstat,
  open,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { errorCode, failureReason } from "./file-error.ts";

const MAX_LINK_HOPS = 40;
/** Refusals that concern the folder or the owner and that writing the file in place can still get around. */
const IN_PLACE_CODES: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EBUSY", "EXDEV"]);

/**
 * Gives `path` exactly these bytes: a temporary file beside it, then a rename, so that a crash or a full disk leaves
 * either the old or the new file. A symbolic link stays and its target is replaced; mode and owner of an existing
 * file are kept; a new one gets 0644 under the umask. Where the folder allows no temporary file, or the file is a
 * mount point, it is written in place.
 *
 * Returns null, or the reason of the failure in words.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<string | null> {
  try {
    const target = await linkTarget(path);
    const existing = await statOrNull(target);
    if (existing === null) {
      await writeBeside(target, bytes, null);
      return null;
    }
    if (existing.isDirectory()) return "is a directory";
    // A rename over /dev/null would turn the device into a file.
    if (!existing.isFile()) return "not a regular file";
    // A rename asks nothing of the file itself, so a write-protected one would be overwritten.
    await access(target, constants.W_OK);
    await replaceExisting(target, bytes, existing);
    return null;
  } catch (error) {
    return failureReason(error);
  }
}

async function replaceExisting(target: string, bytes: Uint8Array, existing: Stats): Promise<void> {
  try {
    await writeBeside(target, bytes, existing);
  } catch (error) {
    if (!IN_PLACE_CODES.has(errorCode(error))) throw error;
    await writeFile(target, bytes);
  }
}

async function writeBeside(target: string, bytes: Uint8Array, existing: Stats | null): Promise<void> {
  // The name says nothing of the target's: a name of 255 bytes leaves no room for a suffix.
  const temporary = join(dirname(target), `.zot-${crypto.randomUUID()}.tmp`);
  // Contents of a private file must not be readable under a wider mode, not even for a moment.
  const file = await open(temporary, "wx", existing === null ? 0o644 : 0o600);
  try {
    try {
      if (existing !== null) await keepOwnerAndMode(file, existing);
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function keepOwnerAndMode(file: FileHandle, existing: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== existing.uid || own.gid !== existing.gid) await file.chown(existing.uid, existing.gid);
  await file.chmod(existing.mode & 0o7777);
}

/** The path behind a chain of symbolic links, also when the last one points at nothing yet. */
async function linkTarget(path: string): Promise<string> {
  let current = path;
  for (let hops = 0; hops < MAX_LINK_HOPS; hops++) {
    const entry = await lstatOrNull(current);
    if (entry === null || !entry.isSymbolicLink()) return current;
    current = resolve(dirname(current), await readlink(current));
  }
  throw new Error("too many levels of symbolic links");
}

async function lstatOrNull(path: string): Promise<Stats | null> {
  return absentAsNull(lstat(path));
}

async function statOrNull(path: string): Promise<Stats | null> {
  return absentAsNull(stat(path));
}

async function absentAsNull(found: Promise<Stats>): Promise<Stats | null> {
  try {
    return await found;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}
