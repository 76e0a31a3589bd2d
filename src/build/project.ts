import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The checkout this file belongs to. */
export const root = join(import.meta.dir, "..", "..");

/** Where everything that is built goes; never committed. */
export const dist = join(root, "dist");

const executable = process.platform === "win32" ? "zot.exe" : "zot";

/** The compiled program. */
export const binary = join(dist, executable);

/** The version in package.json. Throws when the file is unreadable or carries none. */
export function productVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
    if (typeof manifest.version === "string") return manifest.version;
  }
  throw new Error("package.json has no version");
}
