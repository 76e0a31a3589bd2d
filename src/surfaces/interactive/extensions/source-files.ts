import { statSync } from "node:fs";
import { basename, extname } from "node:path";

const SOURCES = new Set([".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".py", ".sh", ".rb", ".go"]);
/** The only JSON: of any other file it cannot be told whether a person wrote it or the extension itself. */
const MANIFESTS = new Set(["extension.json", "theme.json"]);
const SKIPPED = new Set(["node_modules", "__pycache__"]);

/** Whether a change of this file is one of the extension, and not something that it wrote itself, such as its state. */
export function isExtensionSource(path: string): boolean {
  const name = basename(path);
  if (name.startsWith(".")) return false;
  const suffix = extname(name);
  if (SOURCES.has(suffix) || MANIFESTS.has(name)) return true;
  return suffix === "" && isProgram(path);
}

/** Whether a folder of this name can hold sources. */
export function holdsSources(name: string): boolean {
  return !name.startsWith(".") && !SKIPPED.has(name);
}

/** A script without a suffix is known by its mode. */
function isProgram(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true && (stat.mode & 0o111) !== 0;
  } catch {
    // What cannot be looked at cannot be run either.
    return false;
  }
}
