import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { group, withExample } from "./command.ts";
import type { CommandName } from "./command-names.ts";
import { cittyArgs } from "./flags.ts";
import { RUN_FLAGS } from "./run-flags.ts";

/** The command tree. The root itself is the run: node:util parses its flags, citty documents them. */
export const root: CommandDef = withExample(rootCommand(), "zot -p --provider offline 'say hello'");

function rootCommand(): CommandDef {
  const args: ArgsDef = {
    prompt: { type: "positional", required: false, description: "what to do; more may come on stdin" },
    ...cittyArgs(RUN_FLAGS),
  };
  return defineCommand({
    meta: { name: "zot", description: "a coding agent that extensions in any language can extend" },
    args,
    subCommands: {
      ext: () =>
        group(
          "ext",
          "look after extensions",
          {
            list: async () => (await import("./ext/list.ts")).listCommand,
            install: async () => (await import("./ext/install.ts")).installCommand,
            remove: async () => (await import("./ext/remove.ts")).removeCommand,
            rm: async () => (await import("./ext/remove.ts")).removeCommand,
            enable: async () => (await import("./ext/enable.ts")).enableCommand,
            disable: async () => (await import("./ext/enable.ts")).disableCommand,
            logs: async () => (await import("./ext/logs.ts")).logsCommand,
            doctor: async () => (await import("./ext/doctor.ts")).doctorCommand,
          },
          "zot ext doctor",
        ),
      rpc: async () => (await import("./rpc.ts")).rpcCommand,
      models: async () => (await import("./models.ts")).modelsCommand,
      sessions: async () => (await import("./sessions.ts")).sessionsCommand,
      help: async () => (await import("./help.ts")).helpCommand(root),
    } satisfies Readonly<Record<CommandName, () => CommandDef | Promise<CommandDef>>>,
  });
}
