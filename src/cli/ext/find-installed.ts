import { lstatSync } from "node:fs";
import { join } from "node:path";
import { discover } from "../../host/launch/discovery.ts";
import { pathKind } from "../../host/launch/path-kind.ts";
import { globalRoot, namesIn, projectRoot } from "../../host/launch/roots.ts";
import { didYouMean } from "../../llm/nearest.ts";
import { CliError } from "../error.ts";

export interface Places {
  /** Absolute project directory. */
  readonly cwd: string;
  /** Absolute `$ZOT_HOME`. */
  readonly home: string;
}

export interface Installed {
  /** Absolute; directly below one of the two roots. */
  readonly dir: string;
  /** True when `dir` is a link to a directory, or to nothing any more. */
  readonly isLink: boolean;
}

interface Entry extends Installed {
  /** Of the directory. */
  readonly name: string;
}

/**
 * The installed extension called `name`: by directory name, then by manifest name, project before global each time
 * (extension-host.md §7.5 [REQ]). `name` is only compared, never made into a path. Throws `CliError` with near names.
 */
export function findInstalled(name: string, places: Places): Installed {
  const roots = [projectRoot(places.cwd), globalRoot(places.home)];
  const directories = roots.flatMap(entriesOf);
  const byDirectory = directories.find((entry) => entry.name === name);
  if (byDirectory !== undefined) return byDirectory;
  const manifests = discover({ explicit: [], scan: true, ...places });
  const named = manifests.find((candidate) => candidate.manifest?.name === name);
  const byName = directories.find(({ dir }) => dir === named?.dir);
  if (byName !== undefined) return byName;
  const known = [...directories, ...manifests].map((entry) => entry.name);
  const where = `looked in ${roots.join(" and ")}; zot ext list shows what there is`;
  throw new CliError(
    "failed",
    `no extension called ${JSON.stringify(name)}${didYouMean(name, [...new Set(known)])}\n${where}`,
  );
}

/** What `findInstalled` can find in one root: directories and links, broken ones too so that they can be removed. */
function entriesOf(root: string): Entry[] {
  return namesIn(root).flatMap((name): Entry[] => {
    const dir = join(root, name);
    const entry = lstatSync(dir, { throwIfNoEntry: false });
    if (entry?.isDirectory()) return [{ name, dir, isLink: false }];
    if (entry?.isSymbolicLink() && pathKind(dir) !== "file") return [{ name, dir, isLink: true }];
    return [];
  });
}
