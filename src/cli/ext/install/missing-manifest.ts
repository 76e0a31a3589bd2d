import { readdirSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST_FILE } from "../../../host/launch/manifest.ts";
import { pathKind } from "../../../host/launch/path-kind.ts";
import { CliError } from "../../error.ts";
import { NAMED_PATHS_MAX } from "../limits.ts";
import type { Source } from "./source.ts";

/** Says where a manifest was looked for and which ones lie one level below. `label` is the source as it was given. */
export function missingManifest(dir: string, source: Source, label: string): CliError {
  const what = `no ${MANIFEST_FILE} in ${label}`;
  const below = readdirSync(dir)
    .filter((name) => pathKind(join(dir, name, MANIFEST_FILE)) === "file")
    .sort()
    .slice(0, NAMED_PATHS_MAX);
  const [first] = below;
  if (first !== undefined) {
    const found = below.map((name) => `${name}/${MANIFEST_FILE}`).join(", ");
    const next =
      source.kind === "folder"
        ? `zot ext install ${join(source.path, first)}`
        : `clone it, then zot ext install CLONE/${first}`;
    return new CliError("failed", `${what}; found ${found}\nnext: ${next}`);
  }
  if (["HEAD", "objects", "refs"].every((name) => pathKind(join(dir, name)) !== undefined)) {
    return new CliError("failed", `${what}, which is a bare git repository\nnext: zot ext install file://${dir}`);
  }
  return new CliError(
    "failed",
    `${what}, nor one level below\nan extension is a folder with an ${MANIFEST_FILE} at its top`,
  );
}
