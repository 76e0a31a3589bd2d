import { type ArgDef, type CommandDef, defineCommand, renderUsage } from "citty";
import { usesColour } from "./colours.ts";
import { CliError } from "./error.ts";
import { cittyArgs, type Flags, type Parsed, parseFlags } from "./flags.ts";

export interface CommandSpec<T extends Flags> {
  readonly name: string;
  readonly description: string;
  readonly flags: T;
  /** The words it takes besides flags, by name, and what they mean. Absent: it looks at its words itself. */
  readonly words?: Readonly<Record<string, string>>;
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
    args: { ...wordArgs(spec.words ?? {}), ...cittyArgs(spec.flags) },
    run: ({ rawArgs }) => {
      const parsed = parseFlags(spec.flags, rawArgs);
      const extra = spec.words === undefined ? undefined : parsed.positionals[Object.keys(spec.words).length];
      if (extra !== undefined)
        throw new CliError("usage", `unexpected word ${JSON.stringify(extra)} behind ${spec.name}`);
      return spec.run(parsed);
    },
  });
  examples.set(command, spec.example);
  return command;
}

/** Words as citty documents them. It would refuse a missing one with an error of its own; ours says what to type. */
export function wordArgs(words: Readonly<Record<string, string>>): Record<string, ArgDef> {
  return Object.fromEntries(
    Object.entries(words).map(([name, description]): [string, ArgDef] => [
      name,
      { type: "positional", required: false, description },
    ]),
  );
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

/**
 * The help of `command`, with its example, for stdout (1) or stderr (2). `path` are the names of the commands on the way to
 * it, its own last.
 */
export async function helpText(command: CommandDef, path: readonly string[], stream: 1 | 2 = 1): Promise<string> {
  const usage = await renderUsage(
    command,
    path.length === 0 ? undefined : { meta: { name: ["zot", ...path.slice(0, -1)].join(" ") } },
  );
  const example = examples.get(command);
  const text = example === undefined ? usage : `${usage.trimEnd()}\n\nEXAMPLE\n\n  ${example}\n`;
  return usesColour(stream) ? text : Bun.stripANSI(text);
}
