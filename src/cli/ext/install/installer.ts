import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST_FILE, type Manifest, readManifest } from "../../../host/launch/manifest.ts";
import { CliError } from "../../error.ts";
import { checkTree } from "./check.ts";
import { clone } from "./clone.ts";
import { copyTree, type Skipped } from "./copy.ts";
import { ignoredPaths } from "./ignored.ts";
import { LeftOut } from "./left-out.ts";
import { missingManifest } from "./missing-manifest.ts";
import { neededPaths } from "./needed.ts";
import { type Source, withoutSecrets } from "./source.ts";
import { refuseExisting, Staging } from "./staging.ts";
import { placeWithin } from "./within.ts";

export interface InstallRequest {
  readonly source: Source;
  /** Absolute; made when it is missing. */
  readonly extensionsDir: string;
  /** Replace what is there. */
  readonly force: boolean;
  /** On abort nothing is left behind. */
  readonly signal: AbortSignal;
  onProgress(text: string): void;
  /** Something that is no failure but should be known. */
  onWarning(text: string): void;
  /** Whether git should report its progress. */
  readonly showsProgress: boolean;
}

export interface Installation {
  readonly manifest: Manifest;
  /** Absolute. */
  readonly dir: string;
  readonly skipped: Skipped;
  /** Ignored by git and therefore not installed, relative. */
  readonly leftOut: readonly string[];
}

/**
 * Installs an extension under its manifest's name (extension-host.md §7.6): got ready in a staging directory, checked
 * there, then renamed into place. Never runs anything of it. Throws `CliError`, `HostError` "manifest", or the reason
 * of an abort; in each case nothing has changed.
 */
export async function install(request: InstallRequest): Promise<Installation> {
  const { source, extensionsDir, force, signal } = request;
  const label = source.kind === "folder" ? source.path : withoutSecrets(source.url);
  // Before anything is made: most mistakes show here.
  if (source.kind === "folder") manifestOf(source.path, source, label);
  await using staging = await Staging.create(extensionsDir, request.onWarning);
  const tree = await treeOf(request, staging.dir, label);
  const { name } = manifestOf(tree, source, label);
  const destination = join(extensionsDir, name);
  if (!force) refuseExisting(destination);
  if (source.kind === "folder") refuseOverlap(tree, extensionsDir, name);

  const leftOut = await leftOutOf(tree, request, staging.dir);
  const skipped = await copyTree({
    from: tree,
    to: staging.fresh,
    leftOut,
    signal,
    onProgress: (entries) => request.onProgress(`copying: ${entries} so far`),
  });
  const manifest = checkTree(staging.fresh, skipped);
  if (manifest.name !== name) throw new CliError("failed", `${label} changed while it was copied`);
  signal.throwIfAborted();
  staging.putInPlace(destination, force);
  return { manifest, dir: destination, skipped, leftOut: leftOut.paths };
}

/** The real path of the tree to install. */
async function treeOf(request: InstallRequest, scratch: string, label: string): Promise<string> {
  const { source, signal } = request;
  if (source.kind === "folder") return realpathSync(source.path);
  request.onProgress(`cloning ${label}`);
  const onProgress = request.showsProgress ? { onProgress: request.onProgress } : {};
  return clone(source.url, scratch, { signal, ...onProgress });
}

function manifestOf(dir: string, source: Source, label: string): Manifest {
  if (lstatSync(join(dir, MANIFEST_FILE), { throwIfNoEntry: false }) === undefined) {
    throw missingManifest(dir, source, label);
  }
  try {
    return readManifest(dir);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CliError("failed", `${label}: ${error.message}`, error);
  }
}

/** What a clone holds is in the repository, whatever its `.gitignore` says. */
async function leftOutOf(tree: string, request: InstallRequest, scratch: string): Promise<LeftOut> {
  if (request.source.kind === "git") return new LeftOut([], []);
  const { signal, onWarning } = request;
  return new LeftOut(await ignoredPaths(tree, { scratch, signal, onWarning }), neededPaths(readManifest(tree), tree));
}

/** A copy must not run into itself, and what is installed is no source for replacing it. */
function refuseOverlap(tree: string, extensionsDir: string, name: string): void {
  const root = realpathSync(extensionsDir);
  if (placeWithin(tree, root) !== undefined) {
    throw new CliError(
      "failed",
      `${tree} contains ${extensionsDir}, where extensions are installed; install a smaller folder`,
    );
  }
  if (placeWithin(join(root, name), tree) !== undefined) {
    throw new CliError("failed", `${tree} is the installed extension itself; install it from where it came`);
  }
}
