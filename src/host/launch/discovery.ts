import { statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { HostError, systemText } from "../error.ts";
import { isSourceFile } from "./exec.ts";
import { extensionNameFault, MANIFEST_FILE, type Manifest, readManifest } from "./manifest.ts";
import { pathKind } from "./path-kind.ts";
import { globalRoot, namesIn, projectRoot } from "./roots.ts";

export type Scope = "explicit" | "project" | "global";

/** One place where an extension was looked for, and what became of it. Decided from files alone: nothing runs. */
export interface Candidate {
  readonly scope: Scope;
  /** Absolute. */
  readonly dir: string;
  /** Place in the load order: explicit as given, then project sorted, then global sorted (extension-host.md §1.2). */
  readonly loadIndex: number;
  /** Manifest name, or the directory's when there is no usable manifest. */
  readonly name: string;
  readonly manifest?: Manifest;
  readonly verdict:
    | { readonly kind: "winner" }
    | { readonly kind: "disabled" }
    | { readonly kind: "shadowed"; readonly by: string }
    | { readonly kind: "error"; readonly error: HostError };
}

export interface DiscoveryOptions {
  /** `--ext` paths in the order given. */
  readonly explicit: readonly string[];
  /** False with `--no-ext`: only explicit paths count. */
  readonly scan: boolean;
  /** Absolute project directory; explicit relative paths start here. */
  readonly cwd: string;
  /** Absolute `$ZOT_HOME`. */
  readonly home: string;
}

/** Finds every extension and decides which ones start (extension-host.md §1.2), in load order. */
export function discover(options: DiscoveryOptions): Candidate[] {
  const found: Omit<Candidate, "loadIndex" | "verdict">[] = [];
  const faults = new Map<object, HostError>();
  const add = (scope: Scope, dir: string, read: () => Manifest): void => {
    try {
      const manifest = read();
      found.push({ scope, dir, name: manifest.name, manifest });
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      const entry = { scope, dir, name: basename(dir) };
      found.push(entry);
      faults.set(entry, error);
    }
  };

  for (const path of options.explicit) {
    const absolute = resolve(options.cwd, path);
    add("explicit", pathKind(absolute) === "folder" ? absolute : dirname(absolute), () => explicitManifest(absolute));
    const last = found.at(-1);
    // A single file shares its directory with others, so it is known by its own path until it has a name.
    if (last !== undefined && faults.has(last)) Object.assign(last, { dir: absolute, name: basename(absolute) });
  }
  const project = options.scan ? scanRoot(projectRoot(options.cwd)) : [];
  const global = options.scan ? scanRoot(globalRoot(options.home)) : [];
  for (const dir of project) add("project", dir, () => readManifest(dir));
  for (const dir of global) add("global", dir, () => readManifest(dir));

  const projectNames = new Map(project.map((dir) => [basename(dir), dir]));
  const taken = new Map<string, string>();
  return found.map((entry, loadIndex): Candidate => {
    const verdict = judge(entry, faults.get(entry), projectNames, taken);
    if (verdict.kind === "winner") taken.set(entry.name, entry.dir);
    return { ...entry, loadIndex, verdict };
  });
}

function judge(
  entry: Omit<Candidate, "loadIndex" | "verdict">,
  fault: HostError | undefined,
  projectNames: ReadonlyMap<string, string>,
  taken: ReadonlyMap<string, string>,
): Candidate["verdict"] {
  const project = entry.scope === "global" ? projectNames.get(basename(entry.dir)) : undefined;
  // A project directory hides the global one of the same basename even when it is broken or disabled (§1.2).
  if (project !== undefined) return { kind: "shadowed", by: project };
  if (fault !== undefined) return { kind: "error", error: fault };
  // `--ext` asks for this very extension, so it also revives a disabled one for this run.
  if (entry.manifest?.enabled === false && entry.scope !== "explicit") return { kind: "disabled" };
  const owner = taken.get(entry.name);
  return owner === undefined ? { kind: "winner" } : { kind: "shadowed", by: owner };
}

/** The extension directories of one root, sorted; hidden ones and those without a manifest do not count (§1.2 [REQ]). */
function scanRoot(root: string): string[] {
  return namesIn(root)
    .map((name) => join(root, name))
    .filter((dir) => pathKind(dir) === "folder" && pathKind(join(dir, MANIFEST_FILE)) !== undefined);
}

/** A directory with a manifest, or a single file that speaks the protocol (its name is the file's). */
function explicitManifest(path: string): Manifest {
  if (pathKind(path) === "folder") return readManifest(path);
  try {
    statSync(path);
  } catch (error) {
    throw new HostError("manifest", systemText(error), error);
  }
  if (pathKind(path) !== "file") throw new HostError("manifest", "neither a directory with extension.json nor a file");
  const name = basename(path, extname(path));
  const fault = extensionNameFault(name);
  if (name === "" || fault !== undefined)
    throw new HostError("manifest", `invalid name ${JSON.stringify(name)}: ${fault ?? "empty"}`);
  const python = extname(path) === ".py";
  return {
    name,
    version: "",
    exec: python ? "python3" : path,
    args: python ? [path] : [],
    language: languageOf(path),
    description: "",
    enabled: true,
    skills: [],
    runtime: "zot",
    hasTheme: false,
  };
}

function languageOf(path: string): string {
  if (extname(path) === ".py") return "python";
  if (!isSourceFile(path)) return "";
  return /\.[cm]?tsx?$/.test(path) ? "typescript" : "javascript";
}
