import { readlink, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { systemText } from "../../host/error.ts";
import { CliError, EXIT } from "../error.ts";
import { zotHome } from "../home.ts";
import { directory } from "../run-options.ts";
import { type EndSignal, exitStatusOf, onEndSignal } from "../signals.ts";
import type { Terminal } from "../terminal.ts";
import { canAsk, confirm } from "./confirm.ts";
import { extCommand } from "./ext-command.ts";
import { findInstalled } from "./find-installed.ts";
import { Staging } from "./install/staging.ts";
import { CWD_FLAG, theName } from "./named.ts";
import { oneLine } from "./one-line.ts";

/** `zot ext remove`, also as `zot ext rm` (extension-host.md §7.5). */
export const removeCommand = extCommand({
  name: "remove",
  description: "delete an extension's directory; of a linked one only the link",
  words: { name: "directory name, or the name in extension.json; the project's extensions come first" },
  flags: {
    yes: { type: "boolean", short: "y", description: "do not ask" },
    cwd: CWD_FLAG,
  },
  example: "zot ext remove my-extension --yes",
  async run({ values, positionals }, terminal) {
    const name = theName("remove", positionals);
    const { dir, isLink } = findInstalled(name, { cwd: directory(values.cwd), home: zotHome(process.env) });
    if (values.yes !== true) {
      if (!canAsk())
        throw new CliError("usage", `there is no terminal to ask on; zot ext remove ${name} --yes removes ${dir}`);
      if (!(await confirm(`remove ${dir} ?`))) {
        terminal.line("nothing removed");
        return EXIT.failed;
      }
    }
    return isLink ? removeLink(dir) : removeTree(dir, terminal);
  },
});

async function removeLink(dir: string): Promise<number> {
  const target = await readlink(dir);
  await unlink(dir).catch((error: unknown) => {
    throw new CliError("failed", `cannot remove the link ${dir}: ${systemText(error)}`, error);
  });
  console.log(oneLine(`removed the link ${dir}; ${target} is untouched`));
  return EXIT.ok;
}

/** Out of sight first, in one step: a deletion that fails half-way must not leave half an extension to be loaded. */
async function removeTree(dir: string, terminal: Terminal): Promise<number> {
  let ended: EndSignal | undefined;
  using _signals = onEndSignal((signal) => {
    ended = signal;
  });
  {
    await using staging = await Staging.create(dirname(dir), (left) => terminal.warn(left));
    staging.takeAway(dir);
  }
  console.log(oneLine(`removed ${dir}`));
  return ended === undefined ? EXIT.ok : exitStatusOf(ended);
}
