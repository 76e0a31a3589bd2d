import { stat } from "node:fs/promises";
import { type CommandEnd, runCommand } from "./bash/command.ts";
import { CommandOutput, type OutputReport } from "./bash/command-output.ts";
import { commandEnvironment, shellCommand } from "./bash/shell.ts";
import { failureReason, fileError } from "./file-error.ts";
import { BASH_ECHO_MAX_BYTES } from "./limits.ts";
import { type BuiltinTool, type ToolContext, type ToolOutcome, textOutcome } from "./tool.ts";
import { clipWithMarker } from "./utf8.ts";

export interface BashArguments {
  readonly command: string;
  /** Seconds. */
  readonly timeout?: number;
}

/** Runs a shell command (extension-host.md §8.1). */
export const bashTool: BuiltinTool<BashArguments> = {
  name: "bash",
  description:
    "Run a shell command in the project directory and get its output (stdout and stderr together) and exit code. There is no terminal and no input. Long output is shown as its beginning and its end; the whole of it is in the file named after it. Nothing outlives the command: background processes that are still running when the shell exits are terminated, so servers and daemons cannot be started this way. Start, use and stop them within one command.",
  schema: {
    type: "object",
    properties: {
      command: { type: "string", description: "Command line, run by bash -c" },
      timeout: {
        type: "number",
        minimum: 1,
        description: "Seconds after which the command is killed; no limit if left out",
      },
    },
    required: ["command"],
  },
  run,
};

async function run(args: BashArguments, context: ToolContext): Promise<ToolOutcome> {
  if (context.signal.aborted) return textOutcome("cancelled", true);
  const obstacle = await unusableFolder(context.cwd);
  if (obstacle !== null) return textOutcome(`working directory ${obstacle}`, true);
  if (args.command.includes("\0")) return textOutcome("command contains a NUL character", true);

  const output = new CommandOutput((text) => context.progress(text));
  let end: CommandEnd;
  try {
    end = await runCommand({
      argv: shellCommand(args.command),
      cwd: context.cwd,
      env: commandEnvironment(process.env),
      signal: context.signal,
      take: (chunk) => output.push(chunk),
      ...(args.timeout === undefined ? {} : { timeoutMs: args.timeout * 1000 }),
    });
  } catch (error) {
    const report = await output.finish();
    return textOutcome(resultText(args.command, report, `[could not run: ${failureReason(error)}]`), true);
  }
  const isError = end.cause !== "exit" || end.code !== 0;
  return textOutcome(resultText(args.command, await output.finish(), status(end, args.timeout)), isError);
}

/** The runtime blames a missing folder on the program, so it is looked at first. */
async function unusableFolder(path: string): Promise<string | null> {
  try {
    return (await stat(path)).isDirectory() ? null : `${path}: not a directory`;
  } catch (error) {
    return fileError(path, error);
  }
}

function status(end: CommandEnd, timeout: number | undefined): string {
  if (end.cause === "timeout") return `[timed out after ${timeout} second(s)]`;
  if (end.cause === "cancelled") return "[cancelled]";
  return end.code === null ? "[exit unknown]" : `[exit ${end.code}]`;
}

function resultText(command: string, output: OutputReport, end: string): string {
  const echo = clipWithMarker(command, BASH_ECHO_MAX_BYTES, "... [rest of the command left out]");
  const text = output.text === "" || output.text.endsWith("\n") ? output.text : `${output.text}\n`;
  return `$ ${echo}\n\n${text}${text === "" ? "" : "\n"}${end}${output.note}`;
}
