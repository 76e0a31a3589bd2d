import { homedir } from "node:os";

/** A path as people write it: `~` for their own directory. */
export function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
