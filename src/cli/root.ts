import { isatty } from "node:tty";
import { LlmError } from "../llm/error.ts";
import { didYouMean, nearest } from "../llm/nearest.ts";
import { COMMAND_NAMES, isCommandName } from "./command-names.ts";
import { CliError, EXIT } from "./error.ts";
import { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

const NO_SCREEN = 'this terminal cannot show a screen (TERM=dumb); for one prompt: zot -p "..."';

/** Runs one command line and ends the process with its status. */
export async function main(argv: readonly string[]): Promise<never> {
  const terminal = new Terminal();
  const status = await dispatch(argv, terminal).catch((error: unknown) => report(error, terminal));
  await terminal.flush();
  // Children, timers and idle connections must not keep a finished run alive (case: print mode that never exits).
  process.exit(status);
}

async function dispatch(argv: readonly string[], terminal: Terminal): Promise<number> {
  // The command tree and its help are loaded when they are asked for: the screen should not wait for them.
  if (isCommandName(argv[0])) return (await import("./command-line.ts")).runCommandLine(argv);
  const { parseRun, runOptions } = await import("./run-options.ts");
  const parsed = parseRun(argv);
  if (parsed.values.help === true) {
    console.log(await (await import("./command-line.ts")).rootHelp());
    return EXIT.ok;
  }
  if (parsed.values.version === true) {
    console.log(version);
    return EXIT.ok;
  }
  const options = runOptions(parsed);
  if (options.mode === "interactive" && !argv.includes("--")) refuseMistypedCommand(parsed.positionals);
  // A screen needs a terminal on both sides; a prompt that comes or goes through a pipe is a print run.
  if (options.mode === "interactive" && isatty(0) && isatty(1)) {
    if (process.env["TERM"] === "dumb") throw new CliError("usage", NO_SCREEN);
    const { runInteractive } = await import("./interactive.ts");
    return runInteractive(options, terminal);
  }
  if (options.mode === "rpc") {
    const { runRpc } = await import("./rpc.ts");
    return runRpc(options, options.wire, terminal);
  }
  const { run } = await import("./run.ts");
  return run(options, terminal);
}

/**
 * One word that is nearly a command, or is one behind flags, was meant as one (cli.md "Commands"): it must not go to a model
 * and cost money. Whoever means the word says so with -p or --.
 */
function refuseMistypedCommand(words: readonly string[]): void {
  const [word = "", ...more] = words;
  if (more.length > 0 || !/^[\w-]+$/.test(word)) return;
  // "context" contains "ext" and is none of its misspellings.
  const names = COMMAND_NAMES.filter((name) => Math.abs(name.length - word.length) <= 2);
  if (nearest(word, names).length === 0) return;
  const fault = isCommandName(word)
    ? `the command ${word} comes first, before its flags`
    : `unknown command ${JSON.stringify(word)}${didYouMean(word, names)}`;
  throw new CliError("usage", `${fault}\nas a prompt: zot -- ${word}`);
}

function report(error: unknown, terminal: Terminal): number {
  if (error instanceof CliError) {
    const isUsage = error.code === "usage";
    terminal.error(isUsage ? `${error.message}\n(zot --help lists what there is)` : error.message);
    return isUsage ? EXIT.usage : EXIT.failed;
  }
  if (error instanceof LlmError) {
    terminal.error(error.message);
    return error.code === "usage" ? EXIT.usage : EXIT.failed;
  }
  terminal.error(`internal error: ${defectText(error)}`);
  return EXIT.failed;
}

/** A defect of ours; whoever reports it sets ZOT_DEBUG and gets the stack. */
function defectText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return process.env["ZOT_DEBUG"] ? (error.stack ?? error.message) : `${error.message} (set ZOT_DEBUG=1 for the stack)`;
}
