import { chmod, constants, copyFile, lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemText } from "../../../host/error.ts";
import { CliError } from "../../error.ts";
import { INSTALL_MAX_BYTES, INSTALL_MAX_ENTRIES } from "../limits.ts";
import type { LeftOut } from "./left-out.ts";
import { copyLink } from "./link.ts";

export interface TreeCopy {
  /** The real path of the tree. */
  readonly from: string;
  /** Must not exist yet; is outside `from`. */
  readonly to: string;
  readonly leftOut: LeftOut;
  readonly signal: AbortSignal;
  onProgress?(entries: number): void;
}

/** What was neither copied nor ignored, by relative path, and why. */
export type Skipped = ReadonlyMap<string, string>;

/**
 * Copies files, directories and links that stay inside, with their modes. `.git`, what is left out, links that lead
 * outside, and pipes, sockets and devices stay behind; nothing but regular files is ever opened. Throws `CliError`, or
 * the reason of an abort; the caller removes what is there by then.
 */
export async function copyTree(copy: TreeCopy): Promise<Skipped> {
  const { from, to, leftOut, signal } = copy;
  const skipped = new Map<string, string>();
  const pending = [""];
  let entries = 0;
  let bytes = 0;
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    signal.throwIfAborted();
    entries += 1;
    copy.onProgress?.(entries);
    if (entries > INSTALL_MAX_ENTRIES) throw tooLarge(from, `${INSTALL_MAX_ENTRIES} files`);
    try {
      const entry = await lstat(join(from, place));
      if (entry.isDirectory()) {
        await copyDirectory(join(to, place), entry.mode);
        for (const name of await readdir(join(from, place))) {
          const child = place === "" ? name : `${place}/${name}`;
          if (name !== ".git" && !leftOut.has(child)) pending.push(child);
        }
      } else if (entry.isFile()) {
        bytes += entry.size;
        if (bytes > INSTALL_MAX_BYTES) throw tooLarge(from, `${INSTALL_MAX_BYTES} bytes`);
        await copyRegular(join(from, place), join(to, place), entry.mode);
      } else {
        const reason = entry.isSymbolicLink() ? await copyLink(copy, place) : "a pipe, a socket or a device";
        if (reason !== undefined) skipped.set(place, reason);
      }
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw new CliError("failed", `cannot copy ${join(from, place)}: ${systemText(error)}`, error);
    }
  }
  return skipped;
}

/** Its owner may always enter and empty it: what is installed must also be removable. */
async function copyDirectory(to: string, mode: number): Promise<void> {
  await mkdir(to);
  await chmod(to, (mode & 0o777) | 0o700);
}

/** Set-user-id and the like do not travel. */
async function copyRegular(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(to, mode & 0o777);
}

function tooLarge(from: string, limit: string): CliError {
  return new CliError(
    "failed",
    `${from} holds more than ${limit}; install the extension's own folder, or ignore what is not part of it`,
  );
}
