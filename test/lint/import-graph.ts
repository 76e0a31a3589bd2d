import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";

/** How a file takes another in: at load time, by `import()` when needed, or for its types alone. */
export type ImportKind = "static" | "dynamic" | "type";

export interface Import {
  /** The importing file, relative to src/, with forward slashes. */
  readonly from: string;
  /** A file relative to src/ (may begin with `..`), or the specifier of a package or built-in module. */
  readonly to: string;
  readonly kind: ImportKind;
  readonly isPackage: boolean;
}

/** File contents by path relative to src/, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

const CODE = /\.(ts|tsx|mts|cts)$/;
// Bun.Transpiler drops type imports before it lists anything, so those are found in the text. Biome's formatter puts
// every import and re-export at the start of a line, which is what keeps these two patterns right.
const FROM_CLAUSE = /^(?:import|export)\s[^;"'=()]*?\bfrom\s+"([^"]+)"/gm;
const IMPORT_CALL = /\bimport\(\s*"([^"]+)"\s*\)/g;

/** Every TypeScript file below `folder`. */
export function readSources(folder: string): Sources {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [relative(folder, file).split(sep).join("/"), readFileSync(file, "utf8")]));
}

/** All imports of all files. An import that is there at run time and for its types counts as the former. */
export function importGraph(sources: Sources): Import[] {
  return [...sources].flatMap(([file, text]) => importsOf(file, text));
}

function importsOf(from: string, text: string): Import[] {
  const kinds = new Map<string, ImportKind>();
  for (const pattern of [FROM_CLAUSE, IMPORT_CALL]) {
    for (const match of text.matchAll(pattern)) kinds.set(match[1] ?? "", "type");
  }
  const scanned = new Bun.Transpiler({ loader: from.endsWith("x") ? "tsx" : "ts" }).scanImports(text);
  for (const { path, kind } of scanned) {
    const isDynamic = kind === "dynamic-import";
    if (!isDynamic || kinds.get(path) !== "static") kinds.set(path, isDynamic ? "dynamic" : "static");
  }
  return [...kinds].map(([specifier, kind]) => {
    const isPackage = !specifier.startsWith(".");
    return { from, to: isPackage ? specifier : posix.join(posix.dirname(from), specifier), kind, isPackage };
  });
}
