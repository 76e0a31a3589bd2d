import type { CommandDef } from "citty";
import { didYouMean } from "../llm/nearest.ts";
import { rules } from "../llm/offline/rules.ts";
import { helpText, leaf } from "./command.ts";
import { CliError } from "./error.ts";
import { find, subCommands } from "./find.ts";

/** `zot help [command …]`; `zot help offline` explains the rehearsal model. */
export function helpCommand(root: CommandDef): CommandDef {
  return leaf({
    name: "help",
    description: "explain a command, or the offline model (zot help offline)",
    flags: {},
    example: "zot help offline",
    async run({ positionals }) {
      if (positionals[0] === "offline") {
        console.log(rules.trimEnd());
        return 0;
      }
      const { command, path, rest } = await find(root, positionals);
      if (rest.length > 0) {
        const names = [...Object.keys(await subCommands(command)), "offline"];
        throw new CliError("usage", `no help for ${JSON.stringify(rest.join(" "))}${didYouMean(rest[0] ?? "", names)}`);
      }
      console.log(await helpText(command, path));
      return 0;
    },
  });
}
