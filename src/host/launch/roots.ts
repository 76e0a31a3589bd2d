import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Where extensions of everybody are installed (extension-host.md §1.2). `home` is absolute, and so is the result. */
export function globalRoot(home: string): string {
  return join(home, "extensions");
}

/** Where a project keeps its own. */
export function projectRoot(cwd: string): string {
  return join(cwd, ".zot", "extensions");
}

/** What lies in a root, sorted; hidden names do not count, and a root that is missing or unreadable is an empty one. */
export function namesIn(root: string): string[] {
  let names: string[];
  try {
    names = readdirSync(root);
  } catch {
    return [];
  }
  return names.filter((name) => !name.startsWith(".")).sort();
}
