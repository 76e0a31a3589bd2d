import { runCommand } from "citty";
import { didYouMean } from "../llm/nearest.ts";
import { helpText } from "./command.ts";
import { root } from "./commands.ts";
import { CliError, EXIT } from "./error.ts";
import { find, subCommands } from "./find.ts";
import { printToStderr } from "./stderr.ts";

/** The help of a run, with all commands. */
export function rootHelp(): Promise<string> {
  return helpText(root, []);
}

/** Runs a command line that begins with a command's name; resolves with the exit status. Throws `CliError`. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const { command, path, rest } = await find(root, argv);
  if (rest.some((word) => word === "--help" || word === "-h")) {
    console.log(await helpText(command, path));
    return EXIT.ok;
  }
  const children = Object.keys(await subCommands(command));
  if (children.length > 0) {
    const [word] = rest;
    printToStderr(await helpText(command, path, 2));
    throw new CliError(
      "usage",
      word === undefined
        ? `zot ${path.join(" ")} needs one of: ${children.join(", ")}`
        : `unknown ${word.startsWith("-") ? "flag" : "command"} "${path.join(" ")} ${word}"${didYouMean(word, children)}`,
    );
  }
  const { result } = await runCommand(command, { rawArgs: [...rest] });
  return typeof result === "number" ? result : EXIT.ok;
}
