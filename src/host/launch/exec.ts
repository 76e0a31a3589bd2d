import { accessSync, constants, readFileSync } from "node:fs";
import { basename, delimiter, extname, isAbsolute, join, resolve } from "node:path";
import { HELLO_DEADLINE_MS, HELLO_DEADLINE_SLOW_START_MS } from "../../wire/limits.ts";
import { errorCode, systemText } from "../error.ts";
import type { Manifest } from "./manifest.ts";
import { pathKind } from "./path-kind.ts";

const SOURCE_EXTENSIONS = new Set([".ts", ".tsx", ".mts", ".cts", ".js", ".mjs", ".cjs", ".jsx"]);
/** They compile or download on first use (extension-host.md §2.3 [REQ]). */
const SLOW_STARTERS = new Set(["go", "npx", "npm", "bunx", "pnpm", "yarn", "uv", "uvx", "cargo", "dotnet"]);
/** Flags of node that change nothing for us when it is not there. */
const HARMLESS_NODE_FLAGS = /^--(no-warnings|experimental-[a-z-]+|enable-source-maps|no-deprecation)$/;

/** How an extension is started. */
export interface Launch {
  /** The program and its arguments; `argv[0]` is absolute unless the program could not be found. */
  readonly argv: readonly [string, ...string[]];
  /** True when our own executable runs the source file. */
  readonly ownRuntime: boolean;
  /** How long hello may take, in ms. */
  readonly helloDeadlineMs: number;
  /** One line for the log when the manifest's own words were not followed. */
  readonly note?: string;
}

export interface ExecContext {
  /** Absolute extension directory; relative exec and source paths start here. */
  readonly dir: string;
  /** PATH as the child will see it. */
  readonly path: string | undefined;
  /** Our own executable, as an argv prefix that runs a source file when its path is appended. */
  readonly sourceRunner: readonly [string, ...string[]];
}

/** Turns a manifest into an argv (extension-host.md §1.5). Never throws: what cannot be found fails at spawn. */
export function resolveExec(manifest: Pick<Manifest, "exec" | "args" | "runtime">, context: ExecContext): Launch {
  const { exec, args } = manifest;
  const ours = manifest.runtime === "zot";
  if (isPathLike(exec)) {
    const file = resolve(context.dir, exec);
    return ours && isSourceFile(file) ? ownLaunch(file, args, context) : systemLaunch([file, ...args]);
  }
  const program = searchPath(exec, context.path);
  if (program !== undefined) return systemLaunch([program, ...args]);
  const source = ours ? sourceBehind(exec, args) : undefined;
  if (source === undefined) return systemLaunch([exec, ...args]);
  const file = resolve(context.dir, source.file);
  return {
    ...ownLaunch(file, source.rest, context),
    note: `${exec} is not in PATH; running ${source.file} in zot itself`,
  };
}

export function isSourceFile(path: string): boolean {
  return SOURCE_EXTENSIONS.has(extname(path).toLowerCase());
}

function ownLaunch(file: string, args: readonly string[], context: ExecContext): Launch {
  const [program, ...prefix] = context.sourceRunner;
  return { argv: [program, ...prefix, file, ...args], ownRuntime: true, helloDeadlineMs: HELLO_DEADLINE_MS };
}

function systemLaunch(argv: readonly [string, ...string[]]): Launch {
  const slow = SLOW_STARTERS.has(basename(argv[0]).replace(/\.(exe|cmd|bat)$/i, ""));
  return { argv, ownRuntime: false, helloDeadlineMs: slow ? HELLO_DEADLINE_SLOW_START_MS : HELLO_DEADLINE_MS };
}

/** The source file that `npx -y tsx x.ts`, `tsx x.ts`, `bun [run] x.ts` or `node x.js` would run. */
function sourceBehind(exec: string, args: readonly string[]): { file: string; rest: readonly string[] } | undefined {
  const rest = [...args];
  const skip = (matches: (arg: string) => boolean): void => {
    while (rest[0] !== undefined && matches(rest[0])) rest.shift();
  };
  switch (exec) {
    case "npx":
      skip((arg) => arg === "-y" || arg === "--yes");
      if (rest.shift() !== "tsx") return undefined;
      break;
    case "tsx":
      break;
    case "bun":
      skip((arg) => arg === "run");
      break;
    case "node":
      skip((arg) => HARMLESS_NODE_FLAGS.test(arg));
      break;
    default:
      return undefined;
  }
  const file = rest.shift();
  return file !== undefined && !file.startsWith("-") && isSourceFile(file) ? { file, rest } : undefined;
}

/** A path rather than a program's name: absolute, `.`, `..`, or with a separator anywhere (§1.5). */
function isPathLike(exec: string): boolean {
  if (isAbsolute(exec) || exec === "." || exec === ".." || exec.includes("/")) return true;
  return process.platform === "win32" && exec.includes("\\");
}

/** PATH search of our own: empty and relative entries are ignored, the current directory never counts (§1.5 [REQ]). */
export function searchPath(program: string, path: string | undefined): string | undefined {
  const suffixes = process.platform === "win32" ? windowsSuffixes(program) : [""];
  for (const dir of (path ?? "").split(delimiter)) {
    if (!isAbsolute(dir)) continue;
    for (const suffix of suffixes) {
      const file = join(dir, program + suffix);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

/** A bare `npx` means `npx.cmd`: Windows cannot start the shell script of that name which lies beside it. */
function windowsSuffixes(program: string): string[] {
  const known = (process.env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";").filter((suffix) => suffix !== "");
  return extname(program) === "" ? known : ["", ...known];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return pathKind(file) === "file";
  } catch {
    // Not there, or not for us: not a hit.
    return false;
  }
}

/** Why `argv[0]` could not be started, with what to do about it. */
export function explainSpawnError(program: string, error: unknown): string {
  const text = `${program}: ${systemText(error)}`;
  const kind = pathKind(program);
  if (kind === undefined) {
    return isAbsolute(program) ? text : `${program}: executable file not found in PATH`;
  }
  if (kind === "folder") return `${program}: is a directory, not a program`;
  switch (errorCode(error)) {
    case "EACCES":
      return `${text} (try: chmod +x ${JSON.stringify(program)})`;
    case "ENOEXEC":
      return `${text} (a script needs a first line such as #!/bin/sh)`;
    case "ENOENT": {
      const interpreter = interpreterOf(program);
      return interpreter === undefined ? text : `${program}: its interpreter ${interpreter} does not exist`;
    }
    default:
      return text;
  }
}

function interpreterOf(file: string): string | undefined {
  try {
    return /^#!\s*(\S+)/.exec(readFileSync(file, "latin1").slice(0, 256))?.[1];
  } catch {
    // Unreadable: the system's own text has to do.
    return undefined;
  }
}
