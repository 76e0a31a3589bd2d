import { resolve } from "node:path";

/**
 * Where a path in tool arguments points: absolute, or relative to the project directory. `~` stays a plain character
 * (extension-host.md §8.1), so that the path checked by a guard is the path that is used.
 */
export function resolvePath(cwd: string, path: string): string {
  return resolve(cwd, path);
}
