import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TEXT_MAX_CHARS = 1024 * 1024;

export type Edited = { readonly text: string } | { readonly fault: string };

/** The program that `VISUAL` or `EDITOR` names, with its arguments; `vi` when none is named. */
function editorArgv(env: Readonly<Record<string, string | undefined>>): [string, ...string[]] {
  const command = env["VISUAL"]?.trim() || env["EDITOR"]?.trim() || (process.platform === "win32" ? "notepad" : "vi");
  const [program, ...args] = command.split(/\s+/);
  return [program ?? "vi", ...args];
}

/** Lets the user edit `text` in an editor of his own, which has the terminal meanwhile. Never rejects. */
export async function editExternally(text: string, env: Readonly<Record<string, string | undefined>>): Promise<Edited> {
  const argv = editorArgv(env);
  const dir = await mkdtemp(join(tmpdir(), "zot-edit-"));
  try {
    const path = join(dir, "prompt.md");
    await writeFile(path, text, { mode: 0o600 });
    const editor = Bun.spawn([...argv, path], { stdin: "inherit", stdout: "inherit", stderr: "inherit" });
    const status = await editor.exited;
    if (status !== 0) return { fault: `${argv[0]} ended with status ${status}; the text is as it was` };
    return { text: (await readFile(path, "utf8")).slice(0, TEXT_MAX_CHARS).replace(/\n+$/, "") };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { fault: `cannot edit with ${argv[0]} (set VISUAL or EDITOR): ${reason}` };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
