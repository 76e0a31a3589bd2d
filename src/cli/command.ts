import { type CommandDef, defineCommand, renderUsage } from "citty";
import { cittyArgs, type Flags, type Parsed, parseFlags } from "./flags.ts";

export interface CommandSpec<T extends Flags> {
  readonly name: string;
  readonly description: string;
  readonly flags: T;
  /** A command line that works when pasted. */
  readonly example: string;
  /** Resolves with the exit status. */
  run(parsed: Parsed<T>): Promise<number>;
}

const examples = new WeakMap<object, string>();

/** A leaf of the command tree: citty carries and documents it, `parseFlags` reads its flags strictly. */
export function leaf<const T extends Flags>(spec: CommandSpec<T>): CommandDef {
  const command = defineCommand({
    meta: { name: spec.name, description: spec.description },
    args: cittyArgs(spec.flags),
    run: ({ rawArgs }) => spec.run(parseFlags(spec.flags, rawArgs)),
  });
  examples.set(command, spec.example);
  return command;
}

/** A node of the tree; its children are loaded when they are needed. */
export function group(
  name: string,
  description: string,
  subCommands: Readonly<Record<string, () => Promise<CommandDef>>>,
  example: string,
): CommandDef {
  const command = defineCommand({ meta: { name, description }, subCommands: { ...subCommands } });
  examples.set(command, example);
  return command;
}

/** Gives a command that was defined elsewhere the command line that its help ends with. */
export function withExample(command: CommandDef, example: string): CommandDef {
  examples.set(command, example);
  return command;
}

/** The help of `command`, with its example. `path` are the names of the commands on the way to it, its own last. */
export async function helpText(command: CommandDef, path: readonly string[]): Promise<string> {
  const usage = await renderUsage(
    command,
    path.length === 0 ? undefined : { meta: { name: ["zot", ...path.slice(0, -1)].join(" ") } },
  );
  const example = examples.get(command);
  const text = example === undefined ? usage : `${usage.trimEnd()}\n\nEXAMPLE\n\n  ${example}\n`;
  return process.env["NO_COLOR"] || !process.stdout.isTTY ? Bun.stripANSI(text) : text;
}
