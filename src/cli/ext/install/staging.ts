import { lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, systemText } from "../../../host/error.ts";
import { CliError } from "../../error.ts";
import { STALE_STAGING_MS } from "../limits.ts";

/** Discovery skips hidden directories, so nothing in here is ever loaded (extension-host.md §1.2, §7.6). */
const PREFIX = ".zot-extension-install-";

/**
 * A directory beside the installed extensions in which one is got ready: what enters or leaves the extensions does so
 * by one rename. It is gone when its scope ends, and also when the process ends before that.
 */
export class Staging implements AsyncDisposable {
  /** Absolute. */
  readonly dir: string;
  readonly #onLeftover: (text: string) => void;
  readonly #removeNow: () => void;

  private constructor(dir: string, onLeftover: (text: string) => void) {
    this.dir = dir;
    this.#onLeftover = onLeftover;
    this.#removeNow = () => rmSync(dir, { recursive: true, force: true });
    process.on("exit", this.#removeNow);
  }

  /**
   * @param root where the extensions are; made when it is missing
   * @param onLeftover told, as a sentence, when the directory cannot be deleted at the end
   * @throws CliError
   */
  static async create(root: string, onLeftover: (text: string) => void): Promise<Staging> {
    try {
      mkdirSync(root, { recursive: true, mode: 0o700 });
      await sweep(root, onLeftover);
      return new Staging(await mkdtemp(join(root, PREFIX)), onLeftover);
    } catch (error) {
      throw new CliError(
        "failed",
        `cannot work in ${root}: ${systemText(error)}; check that you may write there`,
        error,
      );
    }
  }

  /** The new extension while it is being got ready. */
  get fresh(): string {
    return join(this.dir, "new");
  }

  /** Gives `fresh` its place. Throws `CliError` when something is there, unless `force` replaces it. */
  putInPlace(destination: string, force: boolean): void {
    const old = join(this.dir, "old");
    const isReplacing = exists(destination);
    if (isReplacing && !force) throw alreadyThere(destination);
    try {
      // No await between the two: no signal handler may run while there is neither the old nor the new one.
      if (isReplacing) renameSync(destination, old);
      try {
        renameSync(this.fresh, destination);
      } catch (error) {
        if (isReplacing) renameSync(old, destination);
        throw error;
      }
    } catch (error) {
      const code = errorCode(error);
      // Somebody else was faster.
      if (code === "ENOTEMPTY" || code === "EEXIST") throw alreadyThere(destination);
      throw new CliError("failed", `cannot put the extension into ${destination}: ${systemText(error)}`, error);
    }
  }

  /** Takes `dir`, a sibling of this directory, out of the extensions; it is deleted with the staging. */
  takeAway(dir: string): void {
    try {
      renameSync(dir, join(this.dir, "removed"));
    } catch (error) {
      throw new CliError("failed", `cannot remove ${dir}: ${systemText(error)}`, error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeAll(this.dir, this.#onLeftover);
    process.off("exit", this.#removeNow);
  }
}

/** Throws `CliError` when `destination` exists, be it as a dangling link. */
export function refuseExisting(destination: string): void {
  if (exists(destination)) throw alreadyThere(destination);
}

function alreadyThere(destination: string): CliError {
  return new CliError(
    "failed",
    `destination ${destination} already exists; remove it first\n(zot ext remove does, and --force replaces it)`,
  );
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Deletes what a killed run has left, unless the extension that it was replacing may still be in there. */
async function sweep(root: string, onLeftover: (text: string) => void): Promise<void> {
  const leftovers = (await readdir(root)).filter((name) => name.startsWith(PREFIX)).map((name) => join(root, name));
  for (const dir of leftovers) {
    const age = Date.now() - (lstatSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age < STALE_STAGING_MS || exists(join(dir, "old"))) continue;
    await removeAll(dir, onLeftover);
  }
}

async function removeAll(dir: string, onLeftover: (text: string) => void): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch (error) {
    onLeftover(`could not delete ${dir}: ${systemText(error)}; delete it by hand`);
  }
}
