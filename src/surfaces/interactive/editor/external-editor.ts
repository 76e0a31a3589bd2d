import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandEnvironment } from "../../../agent/tools/bash/shell.ts";
import { ProcessFamily } from "./process-family.ts";

const TEXT_MAX_CHARS = 1024 * 1024;
/** An editor that is asked to end puts the terminal back in order first; one that does not is killed. */
const END_GRACE_MS = 500;
/** What a shell says of a command that is not there, or cannot be run. */
const NOT_FOUND = 127;
const NOT_RUN = [126, NOT_FOUND];
/** What makes a command one for the shell, by git's list. */
const FOR_THE_SHELL = /[|&;<>()$`\\"' \t\n*?[#~=%]/;

type Environment = Readonly<Record<string, string | undefined>>;

export type Edited = { readonly text: string } | { readonly fault: string };

/**
 * Lets the user edit `text` in the editor that `VISUAL` or `EDITOR` names (`vi` when none is named), which has the terminal
 * meanwhile. Never rejects.
 *
 * @param over ends the editor: the terminal is about to be somebody else's
 */
export async function editExternally(text: string, env: Environment, over: AbortSignal): Promise<Edited> {
  const command = env["VISUAL"]?.trim() || env["EDITOR"]?.trim() || (process.platform === "win32" ? "notepad" : "vi");
  let dir: string | undefined;
  try {
    dir = await mkdtemp(join(tmpdir(), "zot-edit-"));
    const path = join(dir, "prompt.md");
    await writeFile(path, text, { mode: 0o600 });
    const status = await run(editorArgv(command, path), env, over);
    if (NOT_RUN.includes(status)) return { fault: `cannot run ${command} (set VISUAL or EDITOR)` };
    if (status !== 0) return { fault: `${command} ended with status ${status}; the text is as it was` };
    return { text: (await readFile(path, "utf8")).slice(0, TEXT_MAX_CHARS).trimEnd() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: `cannot edit in ${command}; the text is as it was: ${reason}` };
  } finally {
    if (dir !== undefined) await remove(dir);
  }
}

/** What `VISUAL` and `EDITOR` hold is a line for the shell, as git reads it: with quotes, variables and arguments. */
function editorArgv(command: string, path: string): string[] {
  // With /s the outermost quotes are taken off, and all that is between them is the line.
  if (process.platform === "win32") return ["cmd.exe", "/d", "/s", "/c", `"${command} "${path}""`];
  return FOR_THE_SHELL.test(command) ? ["sh", "-c", `${command} "$@"`, command, path] : [command, path];
}

/** Resolves with its status, 128 and more when a signal ended it. */
async function run(argv: string[], env: Environment, over: AbortSignal): Promise<number> {
  over.throwIfAborted();
  const editor = start(argv, env);
  if (editor === undefined) return NOT_FOUND;
  const family = new ProcessFamily(editor.pid);
  let ending: Promise<void> | undefined;
  const end = (): void => {
    ending = family.end(END_GRACE_MS);
  };
  const kill = (): void => family.kill();
  over.addEventListener("abort", end);
  // Somebody may not want to wait for that.
  process.on("exit", kill);
  try {
    const status = await editor.exited;
    await ending;
    return status;
  } finally {
    over.removeEventListener("abort", end);
    process.off("exit", kill);
  }
}

function start(argv: string[], env: Environment): Bun.Subprocess | undefined {
  try {
    return Bun.spawn(argv, {
      stdio: ["inherit", "inherit", "inherit"],
      env: commandEnvironment(env),
      windowsVerbatimArguments: true,
    });
  } catch {
    // As a shell does, which says no more than that.
    return undefined;
  }
}

async function remove(dir: string): Promise<void> {
  try {
    await rm(dir, { recursive: true, force: true });
  } catch {
    // It lies among temporary files, readable by nobody else, and is theirs to clear away.
  }
}
