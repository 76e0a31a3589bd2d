import type { CommandDef } from "citty";
import { HostError, systemText } from "../../host/error.ts";
import { type CommandSpec, leaf, wordArgs } from "../command.ts";
import { CliError, EXIT } from "../error.ts";
import { cittyArgs, type Flags, type Parsed } from "../flags.ts";
import { Terminal } from "../terminal.ts";

export interface ExtCommandSpec<T extends Flags> extends Omit<CommandSpec<T>, "run" | "words"> {
  /** The words it takes besides flags, by name, and what they mean. How many it checks itself. */
  readonly words: Readonly<Record<string, string>>;
  /** Resolves with the exit status; `CliError`, `HostError` and errors of the system are told to the user, status 1. */
  run(parsed: Parsed<T>, terminal: Terminal): Promise<number>;
}

/** A leaf below `zot ext` that names its words in its help and turns what could not be done into exit status 1. */
export function extCommand<const T extends Flags>(spec: ExtCommandSpec<T>): CommandDef {
  const { words, ...rest } = spec;
  const command = leaf({
    ...rest,
    run: async (parsed) => {
      const terminal = new Terminal();
      try {
        return await spec.run(parsed, terminal);
      } catch (error) {
        const text = failureText(error);
        if (text === undefined) throw error;
        terminal.error(text);
        return EXIT.failed;
      } finally {
        await terminal.flush();
      }
    },
  });
  return Object.assign(command, { args: { ...wordArgs(words), ...cittyArgs(spec.flags) } });
}

/** Undefined for a defect of ours. */
function failureText(error: unknown): string | undefined {
  if ((error instanceof CliError && error.code === "failed") || error instanceof HostError) return error.message;
  if (!(error instanceof Error && "syscall" in error)) return undefined;
  const path = "path" in error && typeof error.path === "string" ? `${error.path}: ` : "";
  return `${path}${systemText(error)}; check the path and its permissions`;
}
