import { extensionNameFault } from "../../host/launch/manifest.ts";
import { CliError } from "../error.ts";

/** `--cwd` of the commands that look for an extension by name. */
export const CWD_FLAG = { type: "string", valueHint: "DIR", description: "the project directory" } as const;

/**
 * The one name among the words of `zot ext <command>`. Names become parts of paths, so whatever could lead out of a
 * folder is refused before anything is looked up. Throws `CliError`.
 */
export function theName(command: string, words: readonly string[]): string {
  const [name, ...more] = words;
  if (name === undefined) {
    throw new CliError("usage", `zot ext ${command} needs the name of an extension; zot ext list shows them`);
  }
  if (more.length > 0) throw new CliError("usage", `zot ext ${command} takes one name; got ${words.length}`);
  const fault = name === "" ? "it is empty" : extensionNameFault(name);
  if (fault === undefined) return name;
  throw new CliError(
    "usage",
    `${JSON.stringify(name)} is no extension name (${fault}); give a name as zot ext list shows it, not a path`,
  );
}
