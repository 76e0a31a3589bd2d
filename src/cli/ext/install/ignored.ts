import { join } from "node:path";
import { pathKind } from "../../../host/launch/path-kind.ts";
import { CliError } from "../../error.ts";
import { GIT_QUERY_DEADLINE_MS } from "../limits.ts";
import { findGit, runGit } from "./git.ts";

export interface IgnoredContext {
  /** A directory for a file or two. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  onWarning(text: string): void;
}

const LIST_IGNORED = ["ls-files", "--others", "--ignored", "--directory", "-z"];

/**
 * What git ignores in the folder `dir`, relative to it and without what lies below an ignored directory. Git itself
 * answers, so that its rules are git's: in a work tree the repository's, elsewhere those of the `.gitignore` files.
 * Nothing counts as ignored when git is missing, or when the whole folder is ignored: then that says nothing about
 * what belongs to the extension. Throws `CliError`, or the reason of an abort.
 */
export async function ignoredPaths(dir: string, context: IgnoredContext): Promise<readonly string[]> {
  const { scratch, signal } = context;
  const hasRules = pathKind(join(dir, ".gitignore")) === "file";
  const git = findGit();
  if (git === undefined) {
    if (hasRules) context.onWarning("git is not in PATH, so everything is installed, whatever .gitignore says");
    return [];
  }
  const ask = (args: readonly string[]) => runGit(git, args, { signal, deadlineMs: GIT_QUERY_DEADLINE_MS });
  const inside = await ask(["-C", dir, "rev-parse", "--is-inside-work-tree"]);
  if (inside.code === 0 && inside.stdout.trim() === "true") {
    const whole = await ask(["-C", dir, "check-ignore", "--quiet", "."]);
    if (whole.code === 0) return [];
    return listed(await ask(["-C", dir, ...LIST_IGNORED, "--exclude-standard"]));
  }
  if (!hasRules) return [];
  const empty = join(scratch, "empty.git");
  await ask(["init", "--quiet", "--bare", "--template=", empty]);
  const repository = ["-C", dir, `--git-dir=${empty}`, "--work-tree=."];
  return listed(await ask([...repository, ...LIST_IGNORED, "--exclude-per-directory=.gitignore"]));
}

function listed({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }): readonly string[] {
  if (code !== 0)
    throw new CliError("failed", `git cannot tell what it ignores\n${stderr.trim()}\ninstall a copy without .git`);
  const paths = stdout.split("\0").map((path) => path.replace(/\/$/, ""));
  // "./" is the whole folder.
  return paths.includes(".") ? [] : paths.filter((path) => path !== "");
}
