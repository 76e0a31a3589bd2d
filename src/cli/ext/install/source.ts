import { basename, dirname, resolve } from "node:path";
import { MANIFEST_FILE } from "../../../host/launch/manifest.ts";
import { pathKind } from "../../../host/launch/path-kind.ts";
import { CliError } from "../../error.ts";

/** What `zot ext install` was given. */
export type Source =
  /** `path` is absolute. */
  { readonly kind: "folder"; readonly path: string } | { readonly kind: "git"; readonly url: string };

/** `git@host:path` is how ssh writes it; other local-looking words need `.git` (extension-host.md §7.6). */
const GIT_URL = /^((https?|ssh|git|file):\/\/|git@)|\.git\/?$/;

/** Tells a folder from a git URL; an existing folder wins (defect 41). Throws `CliError` or `CliError`. */
export function sourceOf(given: string): Source {
  if (given === "") throw new CliError("usage", "zot ext install needs a folder or a git URL; got an empty word");
  const path = resolve(given);
  const kind = pathKind(path);
  if (kind === "folder") return { kind, path };
  if (kind !== undefined) throw notAFolder(path);
  if (GIT_URL.test(given)) return { kind: "git", url: given };
  throw new CliError(
    "failed",
    `${path}: no such folder\ngive a folder with ${MANIFEST_FILE}, or a git URL: https://…, ssh://…, git@…, or one that ends in .git`,
  );
}

function notAFolder(path: string): CliError {
  if (basename(path) === MANIFEST_FILE) {
    return new CliError("failed", `${path} is the manifest; install its folder: zot ext install ${dirname(path)}`);
  }
  return new CliError(
    "failed",
    `${path} is no folder; put it beside an ${MANIFEST_FILE} and install that folder, or try it with zot --ext ${path}`,
  );
}

/** A git URL as it may be shown: without the password or token that it may carry. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/(\w:\/\/)[^/\s@]+@/g, "$1***@");
}
