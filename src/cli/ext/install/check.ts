import { accessSync, constants, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST_FILE, type Manifest, readManifest } from "../../../host/launch/manifest.ts";
import { pathKind } from "../../../host/launch/path-kind.ts";
import { CliError } from "../../error.ts";
import type { Skipped } from "./copy.ts";
import { execFile, isMissingFromPath } from "./exec-file.ts";
import { placeWithin } from "./within.ts";

/**
 * Checks a tree that is about to be installed without running anything of it (extension-host.md §7.6): the manifest,
 * and that an `exec` which is a path is a program inside the tree. Throws `CliError` or `HostError`.
 */
export function checkTree(dir: string, skipped: Skipped): Manifest {
  const manifestReason = skipped.get(MANIFEST_FILE);
  if (manifestReason !== undefined)
    throw new CliError("failed", `${MANIFEST_FILE} is ${manifestReason}; make it a file`);
  const manifest = readManifest(dir);
  const file = execFile(manifest, dir);
  if (file !== undefined) checkExec(manifest.exec, file.path, file.isSource, dir, skipped);
  return manifest;
}

function checkExec(exec: string, path: string, isSource: boolean, dir: string, skipped: Skipped): void {
  const what = `exec ${JSON.stringify(exec)}`;
  const place = placeWithin(dir, path);
  if (place === undefined) {
    throw new CliError(
      "failed",
      `${what} leads out of the extension; put the program into its folder, or name one that PATH finds, such as python3`,
    );
  }
  const skip = [...skipped].find(([left]) => place === left || place.startsWith(`${left}/`));
  if (skip !== undefined)
    throw new CliError("failed", `${what}: ${skip[0]} is ${skip[1]}; put the program itself into the folder`);
  const kind = pathKind(path);
  if (kind === undefined) {
    throw new CliError(
      "failed",
      `${what}: there is no such file in the extension; build it first, or correct ${MANIFEST_FILE}`,
    );
  }
  if (placeWithin(realpathSync(dir), realpathSync(path)) === undefined)
    throw new CliError("failed", `${what} leads out of the extension`);
  if (kind !== "file")
    throw new CliError("failed", `${what} is not a file; name the program itself in ${MANIFEST_FILE}`);
  if (!isSource && !isExecutable(path)) {
    throw new CliError(
      "failed",
      `${what} is not executable\nnext: chmod +x ${place} in the source, then install again`,
    );
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // No x bit for us, which is the answer.
    return false;
  }
}

/** What the user may have to do before the extension, installed in `dir`, can work. One sentence each. */
export function hintsFor(manifest: Manifest, dir: string): string[] {
  const hints: string[] = [];
  if (manifest.exec !== "" && execFile(manifest, dir) === undefined && isMissingFromPath(manifest, dir)) {
    hints.push(`${manifest.exec} is not in PATH; the extension cannot start without it`);
  }
  if (hasDependencies(join(dir, "package.json")) && pathKind(join(dir, "node_modules")) === undefined) {
    hints.push(`its package.json names dependencies; run npm install or bun install in ${dir}`);
  }
  if (!manifest.enabled) hints.push(`it is disabled; zot ext enable ${manifest.name} lets it load`);
  return hints;
}

function hasDependencies(file: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof value !== "object" || value === null || !("dependencies" in value)) return false;
    const { dependencies } = value;
    return typeof dependencies === "object" && dependencies !== null && Object.keys(dependencies).length > 0;
  } catch {
    // None, or not ours to judge: no hint then.
    return false;
  }
}
