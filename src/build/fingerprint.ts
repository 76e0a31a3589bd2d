import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./project.ts";

/**
 * One hash over the contents and names of files and folders (recursively), given relative to the project. Contents, not
 * times: a checkout or a branch switch changes every time stamp and rebuilds nothing.
 */
export function fingerprint(paths: readonly string[]): string {
  const hasher = new Bun.CryptoHasher("sha256");
  // A different Bun means a different runtime inside the binary.
  hasher.update(`bun ${Bun.version} ${Bun.revision}\n`);
  for (const path of paths.flatMap((path) => filesUnder(join(root, path))).sort()) {
    const content = readFileSync(path);
    hasher.update(`${relative(root, path)} ${content.length}\n`);
    hasher.update(content);
  }
  return hasher.digest("hex");
}

function filesUnder(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
