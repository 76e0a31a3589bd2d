import { dirname } from "node:path/posix";

/** The ignored paths of a tree that an installation leaves out. */
export class LeftOut {
  readonly #paths: ReadonlySet<string>;

  /**
   * @param ignored what git ignores
   * @param needed what the manifest needs; an ignored directory around it stays as a whole, since a build folder or
   *   `node_modules` is of no use in parts
   */
  constructor(ignored: readonly string[], needed: readonly string[]) {
    const kept = (path: string): boolean => needed.some((need) => isBelow(need, path) || isBelow(path, need));
    this.#paths = new Set(ignored.filter((path) => !kept(path)));
  }

  /** Relative, with forward slashes; nothing twice, though git names files of an ignored directory too. */
  get paths(): readonly string[] {
    return [...this.#paths].filter((path) => !this.has(dirname(path)));
  }

  /** Whether the relative `path` or a directory that it is in stays behind. */
  has(path: string): boolean {
    if (this.#paths.size === 0) return false;
    const parts = path.split("/");
    return parts.some((_, index) => this.#paths.has(parts.slice(0, index + 1).join("/")));
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(`${directory}/`);
}
