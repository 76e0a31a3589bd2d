import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../../error.ts";
import { CLONE_DEADLINE_MS } from "../limits.ts";
import { oneLine } from "../one-line.ts";
import { findGit, type GitOptions, runGit } from "./git.ts";
import { withoutSecrets } from "./source.ts";

/** Lines of git's report that an error shows. */
const SHOWN_LINES = 6;

/**
 * Clones `url` with its submodules, without history, into a new directory below `scratch`; resolves with its real
 * path. Throws `CliError` with what git said.
 */
export async function clone(url: string, scratch: string, options: Omit<GitOptions, "deadlineMs">): Promise<string> {
  const git = findGit();
  const label = withoutSecrets(url);
  if (git === undefined)
    throw new CliError("failed", `cannot clone ${label}: git is not in PATH; install git, or a local folder`);
  const target = join(scratch, "clone");
  const progress = options.onProgress === undefined ? [] : ["--progress"];
  const shallow = ["--depth", "1", "--recurse-submodules", "--shallow-submodules"];
  const { code, stderr } = await runGit(git, ["-C", scratch, "clone", ...shallow, ...progress, "--", url, target], {
    ...options,
    deadlineMs: CLONE_DEADLINE_MS,
  });
  if (code !== 0) {
    throw new CliError(
      "failed",
      `cannot clone ${label}\n${report(stderr, target)}\ncheck that git clone ${label} works; zot cannot ask for a password`,
    );
  }
  if ((await readdir(target)).every((name) => name === ".git")) {
    throw new CliError(
      "failed",
      `${label} has no files on its default branch; push the extension to it, or install a local folder`,
    );
  }
  return realpath(target);
}

/** The last lines of git's stderr, without its progress and without a path that is gone by now. */
function report(stderr: string, target: string): string {
  const lines = withoutSecrets(stderr)
    .replaceAll(target, ".")
    .split(/[\r\n]+/)
    .map(oneLine)
    .filter((line) => line !== "" && !/^Cloning into |\d+% \(\d+\/\d+\)/.test(line));
  return lines.slice(-SHOWN_LINES).join("\n");
}
