import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { SKILL_DEPTH_MAX, SKILL_FOLDERS_MAX, SKILLS_PER_EXTENSION_MAX } from "../../wire/limits.ts";
import { systemText } from "../error.ts";
import { pathKind } from "./path-kind.ts";
import { readSkillFile, type SkillFile } from "./skill-file.ts";

const SKILL_FILE = "SKILL.md";

/** A skill that an extension ships. */
export interface BundledSkill extends Omit<SkillFile, "body"> {
  /** Its `SKILL.md`, absolute; read anew when it is wanted. */
  readonly path: string;
}

/** What the `skills` entries of a manifest came to; a fault drops its skill, never the extension. */
export interface SkillBundle {
  readonly skills: readonly BundledSkill[];
  /** Lines for a human, each beginning with `skill: `. */
  readonly faults: readonly string[];
}

/**
 * The skills that the manifest entries of the extension in `dir` name: folders, searched down to the first `SKILL.md`
 * on every branch, or `SKILL.md` files themselves. Nothing outside `dir` counts, links included (extension-host.md §1.4).
 */
export function bundledSkills(dir: string, entries: readonly string[]): SkillBundle {
  const search = new Search(dir);
  for (const entry of entries) search.look(entry.trim());
  const skills = new Map<string, BundledSkill>();
  for (const path of search.files) {
    const file = readSkillFile(path, basename(dirname(path)));
    if ("fault" in file) {
      search.faults.push(`${relative(dir, path)}: ${file.fault}`);
      continue;
    }
    const { name, description, isForModel } = file;
    if (skills.has(name)) search.faults.push(`${relative(dir, path)}: there is another skill called ${name}`);
    else skills.set(name, { name, description, isForModel, path });
  }
  return { skills: [...skills.values()], faults: search.faults.map((fault) => `skill: ${fault}`) };
}

/** Looks for `SKILL.md` files within one extension directory, which it never leaves. */
class Search {
  readonly files = new Set<string>();
  readonly faults: string[] = [];
  readonly #dir: string;
  readonly #realDir: string;
  /** Real paths of the folders that were looked into: links may lead round in a circle. */
  readonly #seen = new Set<string>();

  constructor(dir: string) {
    this.#dir = dir;
    this.#realDir = realPath(dir) ?? dir;
  }

  look(entry: string): void {
    const path = join(this.#dir, entry);
    const fault = this.#faultOf(entry, path);
    if (fault !== undefined) this.faults.push(`skill path ${JSON.stringify(entry)} ${fault}`);
    else if (basename(path) === SKILL_FILE && pathKind(path) === "file") this.#take(path);
    else this.#descend(path, 0);
  }

  #faultOf(entry: string, path: string): string | undefined {
    if (entry === "" || isAbsolute(entry)) return "must be a relative directory";
    if (!isWithin(path, this.#dir)) return "escapes the extension directory";
    const kind = pathKind(path);
    if (kind === undefined) return "does not exist";
    if (!this.#isOurs(path)) return "escapes the extension directory through a symlink";
    if (kind === "folder" || basename(path) === SKILL_FILE) return undefined;
    return `is neither a directory nor a ${SKILL_FILE}`;
  }

  #descend(folder: string, depth: number): void {
    const real = realPath(folder);
    if (real === undefined || this.#seen.has(real) || this.#seen.size >= SKILL_FOLDERS_MAX) return;
    this.#seen.add(real);
    const file = join(folder, SKILL_FILE);
    if (pathKind(file) === "file") this.#take(file);
    else if (depth < SKILL_DEPTH_MAX) {
      for (const child of this.#foldersIn(folder)) {
        if (this.#isOurs(child)) this.#descend(child, depth + 1);
        else this.#leaves(child);
      }
    }
  }

  #take(file: string): void {
    if (!this.#isOurs(file)) this.#leaves(file);
    else if (this.files.size < SKILLS_PER_EXTENSION_MAX) this.files.add(file);
  }

  #leaves(path: string): void {
    this.faults.push(`${relative(this.#dir, path)} escapes the extension directory through a symlink`);
  }

  #foldersIn(folder: string): string[] {
    try {
      const names = readdirSync(folder).filter((name) => !name.startsWith(".") && name !== "node_modules");
      return names
        .sort()
        .map((name) => join(folder, name))
        .filter((path) => pathKind(path) === "folder");
    } catch (error) {
      this.faults.push(`${relative(this.#dir, folder)}: ${systemText(error)}`);
      return [];
    }
  }

  #isOurs(path: string): boolean {
    const real = realPath(path);
    return real !== undefined && isWithin(real, this.#realDir);
  }
}

/** Whether `path` is below `dir`, by the look of the paths alone. */
function isWithin(path: string, dir: string): boolean {
  const way = relative(dir, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // It went away, or a link leads nowhere: nothing that we could use.
    return undefined;
  }
}
