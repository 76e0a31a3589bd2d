import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Whether the stamp file holds exactly this fingerprint. A missing stamp is the ordinary case of a fresh checkout. */
export function isStamped(path: string, fingerprint: string): boolean {
  try {
    return readFileSync(path, "utf8") === fingerprint;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}

/** Leaves the stamp whole or not at all: a reader never sees half a fingerprint. */
export function stamp(path: string, fingerprint: string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, fingerprint);
  renameSync(temporary, path);
}
