import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where zot keeps its files (extension-host.md §6.2), absolute. */
export function zotHome(env: Readonly<Record<string, string | undefined>>): string {
  const { ZOT_HOME, XDG_STATE_HOME, LOCALAPPDATA } = env;
  if (ZOT_HOME) return resolve(ZOT_HOME);
  if (XDG_STATE_HOME) return resolve(XDG_STATE_HOME, "zot");
  const home = env["HOME"] || homedir();
  switch (process.platform) {
    case "darwin":
      return join(home, "Library", "Application Support", "zot");
    case "win32":
      return join(LOCALAPPDATA ?? join(home, "AppData", "Local"), "zot");
    default:
      return join(home, ".local", "state", "zot");
  }
}
