import { join, resolve } from "node:path";
import { MANIFEST_FILE, type Manifest } from "../../../host/launch/manifest.ts";
import { pathKind } from "../../../host/launch/path-kind.ts";
import { execFile } from "./exec-file.ts";
import { placeWithin } from "./within.ts";

/**
 * What the manifest needs of the tree `dir`, as paths relative to it: a built program is often ignored by git and has
 * to be installed all the same (extension-host.md §7.6).
 */
export function neededPaths(manifest: Manifest, dir: string): readonly string[] {
  const exec = execFile(manifest, dir);
  const files = [
    ...(exec === undefined ? [] : [exec.path]),
    ...manifest.args.map((arg) => resolve(dir, arg)).filter((file) => pathKind(file) === "file"),
    ...manifest.skills.map((entry) => resolve(dir, entry)),
    ...[MANIFEST_FILE, "theme.json", "themes"].map((name) => join(dir, name)),
  ];
  return files.flatMap((file) => placeWithin(dir, file) || []);
}
