import { discover } from "../../host/launch/discovery.ts";
import { zotHome } from "../home.ts";
import { directory } from "../run-options.ts";
import { extCommand } from "./ext-command.ts";
import { findInstalled, type Places } from "./find-installed.ts";
import { setEnabled } from "./manifest-edit.ts";
import { CWD_FLAG, theName } from "./named.ts";
import { oneLine } from "./one-line.ts";

/** `zot ext enable` and `zot ext disable` (extension-host.md §7.5). */
export const enableCommand = toggle("enable", "let an extension load again", true);
export const disableCommand = toggle("disable", "keep an extension from loading without removing it", false);

function toggle(command: "enable" | "disable", description: string, enabled: boolean) {
  return extCommand({
    name: command,
    description: `${description}; sets "enabled" in its extension.json`,
    words: { name: "directory name, or the name in extension.json; the project's extensions come first" },
    flags: { cwd: CWD_FLAG },
    example: `zot ext ${command} my-extension`,
    async run({ values, positionals }, terminal) {
      const name = theName(command, positionals);
      const places = { cwd: directory(values.cwd), home: zotHome(process.env) };
      const { dir } = findInstalled(name, places);
      const changed = await setEnabled(dir, enabled);
      const outcome = changed
        ? `${command}d ${name} (${dir}); takes effect at the next start or /reload-ext`
        : `${name} is ${command}d already (${dir})`;
      console.log(oneLine(outcome));
      for (const note of consequences(dir, enabled, places)) terminal.warn(note);
      return 0;
    },
  });
}

/** What somebody with several copies would not expect (extension-host.md §1.2). */
function consequences(dir: string, enabled: boolean, places: Places): string[] {
  const candidates = discover({ explicit: [], scan: true, ...places });
  return candidates.flatMap((candidate) => {
    const { verdict } = candidate;
    if (verdict.kind !== "shadowed") return [];
    if (candidate.dir === dir && enabled) return [`it is not used here: ${verdict.by} comes first`];
    if (verdict.by === dir && !enabled)
      return [`${candidate.dir} stays unused: a project directory hides it by its name`];
    return [];
  });
}
