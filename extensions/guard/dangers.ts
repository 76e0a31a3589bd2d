/** One simple command of a command line: its name without a path, and its arguments. */
interface Command {
  readonly name: string;
  readonly args: readonly string[];
}

/** Words that only say how the command behind them is run. */
const PREFIXES = new Set(["sudo", "doas", "command", "exec", "nohup", "time", "env"]);
const EVERYTHING = new Set(["/", "/*", "~", "~/", "~/*", "$HOME", "$HOME/", "$HOME/*"]);
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ksh", "fish"]);
const DISK = /^\/dev\/(sd|hd|vd|nvme|disk|mmcblk)/;

/**
 * Why the command line must not run; undefined when nothing is known against it. It looks for the accidents that agents
 * have had, not for malice: whoever wants to can always write a command so that this does not see it.
 */
export function dangerIn(line: string): string | undefined {
  if (/>\s*\/dev\/(sd|hd|vd|nvme|disk|mmcblk)/.test(line)) return "it writes over a disk";
  for (const pipeline of line.split(/;|&&?|\|\||\n/)) {
    const commands = pipeline.split("|").map(parse);
    const danger = pipeDanger(commands) ?? commands.map(commandDanger).find((reason) => reason !== undefined);
    if (danger !== undefined) return danger;
  }
  return undefined;
}

function pipeDanger(commands: readonly Command[]): string | undefined {
  const source = commands.findIndex(({ name }) => name === "curl" || name === "wget");
  if (source === -1) return undefined;
  const runs = commands.slice(source + 1).some(({ name }) => SHELLS.has(name));
  return runs ? "it runs a script straight from the network; download it, read it, then run it" : undefined;
}

function commandDanger({ name, args }: Command): string | undefined {
  if (name.startsWith("mkfs")) return "it formats a disk";
  if (name === "dd" && args.some((arg) => arg.startsWith("of=") && DISK.test(arg.slice(3))))
    return "it writes over a disk";
  if (!isRecursive(args) || !args.some((arg) => EVERYTHING.has(arg))) return undefined;
  if (name === "rm") return "it removes everything below / or the home folder";
  if (name === "chmod" || name === "chown") return "it changes everything below / or the home folder";
  return undefined;
}

function isRecursive(args: readonly string[]): boolean {
  return args.some((arg) => arg === "--recursive" || (/^-[a-zA-Z]+$/.test(arg) && /[rR]/.test(arg)));
}

function parse(text: string): Command {
  // Good enough for paths and flags: quotes that hold blanks fall apart into words that match nothing, and ${HOME}
  // becomes $HOME.
  const words = text.split(/\s+/).map((word) => word.replaceAll(/["'(){}\\]/g, ""));
  const start = words.findIndex((word) => word !== "" && !PREFIXES.has(word) && !/^\w+=/.test(word));
  const [program = "", ...args] = start === -1 ? [] : words.slice(start);
  return { name: program.slice(program.lastIndexOf("/") + 1), args };
}
