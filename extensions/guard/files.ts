import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** What a tool does with the file it names. */
export type FileUse = "read" | "change";

const KEY_FOLDERS = new Set([".ssh", ".gnupg"]);
const CREDENTIALS = new Set([".netrc", ".pgpass", ".pypirc"]);
/** `.env` and `.env.local`, but not the ones that are there to be read. */
const ENV_FILE = /^\.env(?:\.(?!example$|sample$|template$)[\w.-]+)?$/;
const STARTUP_FILES = new Set([".profile", ".bashrc", ".bash_profile", ".zshrc", ".zprofile", ".zshenv"]);
const SYSTEM_FOLDERS = new Set(["bin", "boot", "dev", "etc", "lib", "proc", "sbin", "sys", "usr"]);

/**
 * Why a tool must leave the file alone; undefined when nothing is known against it. Links are followed, so that another
 * name for the same file does not help. `path` is as the model wrote it, relative to `cwd`.
 */
export async function dangerAt(cwd: string, path: string, use: FileUse): Promise<string | undefined> {
  const named = resolve(cwd, path);
  return danger(cwd, named, use) ?? danger(await followed(cwd), await followed(named), use);
}

function danger(project: string, path: string, use: FileUse): string | undefined {
  const parts = path.split(sep);
  const name = basename(path);
  if (parts.some((part) => KEY_FOLDERS.has(part))) return "it is where private keys are";
  if (CREDENTIALS.has(name) || parts.slice(-2).join("/") === ".aws/credentials") return "it holds credentials";
  if (ENV_FILE.test(name)) return "it holds secrets of the project; let the user do that";
  if (use === "read") return undefined;
  if (parts.slice(0, -1).includes(".git")) return "it belongs to git; use git commands";
  if (STARTUP_FILES.has(name) && dirname(path) === homedir()) return "it runs in every shell of the user";
  // Projects in /usr/src are what containers are made of.
  if (!isInside(project, path) && parts[0] === "" && SYSTEM_FOLDERS.has(parts[1] ?? ""))
    return "it belongs to the system";
  return undefined;
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path with all links followed, also when the file itself is still to be made. */
async function followed(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    // Not there, or not to be seen: what can be known is where its folder leads.
    const folder = dirname(path);
    return folder === path ? path : join(await followed(folder), basename(path));
  }
}
