import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

const SCREEN_ON = "\u001b[?1049h";

/** Says that it is there, and stays until the file `$ZOT_HOME/go` is. */
const PATIENT = 'printf EDITOR-HERE\nwhile [ ! -e "$ZOT_HOME/go" ]; do sleep 0.05; done';

interface Script extends AsyncDisposable {
  readonly path: string;
}

async function script(body: string, name = "editor"): Promise<Script> {
  const dir = await tempDir();
  const path = join(dir.path, name);
  await writeFile(path, `#!/bin/bash\n${body}\n`, { mode: 0o755 });
  return { path, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

async function open(editor: string, env: Readonly<Record<string, string>> = {}): Promise<Screen> {
  const screen = await openScreen(offline(), { env: { VISUAL: editor, ...env }, cols: 160 });
  await screen.shows("/help");
  return screen;
}

function editorIsUp(screen: Screen): Promise<void> {
  return screen.until(() => screen.output.includes("EDITOR-HERE"), "the editor");
}

/** Dead ones that nobody has reaped do not count. */
function runs(pid: number): boolean {
  const { stdout } = Bun.spawnSync(["ps", "-o", "stat=", "-p", String(pid)]);
  return /^[^Z\s]/.test(stdout.toString());
}

describe.skipIf(!zotIsBuilt)("the user's own editor", () => {
  test("is a line for the shell, with quotes, blanks and arguments", async () => {
    await using editor = await script('printf "got %s, %s and %s" "$1" "$2" "$#" > "$3"', "my editor");
    await using screen = await open(`'${editor.path}' --wait "two words"`);
    await screen.press("ctrlG");
    await screen.shows(/^ got --wait, two words and 3$/m);
  });

  test.each(["no-such-editor", "no-such-editor --wait"])("%s is told when it is not there", async (name) => {
    await using screen = await open(name);
    screen.type("draft");
    await screen.shows("draft");
    await screen.press("ctrlG");
    await screen.shows(`cannot run ${name} (set VISUAL or EDITOR)`);
    await screen.shows(/^ draft$/m);
  });

  test("has ctrl-c for itself: zot does not end with what was meant for the editor", async () => {
    await using editor = await script(`trap '' INT QUIT\n${PATIENT}\nprintf written > "$1"`);
    await using screen = await open(editor.path);
    await screen.press("ctrlG");
    await editorIsUp(screen);
    // The editor has left the terminal as it was, so the kernel makes signals of these for everybody there.
    screen.type("\u0003\u001c");
    await writeFile(join(screen.zotHome, "go"), "");
    await screen.shows(/^ written$/m);
    screen.process.kill("SIGINT");
    expect(await screen.exits()).toBe(130);
  });

  test("has no file to edit where there is no folder for it, which is told, and nothing typed is lost", async () => {
    await using dir = await tempDir();
    await using screen = await open("true", { TMPDIR: join(dir.path, "nowhere") });
    screen.type("draft ");
    screen.paste("line\n".repeat(50));
    await screen.shows("draft [paste #1");
    await screen.press("ctrlG");
    await screen.shows("cannot edit in true");
    await screen.shows("draft [paste #1");
    screen.type(" and more");
    await screen.shows(/\[paste #1.*\] and more/);
  });

  test("does not see the title that an extension sets meanwhile", async () => {
    await using editor = await script(PATIENT);
    const titles = join(import.meta.dir, "fixtures", "titles");
    await using screen = await openScreen(offline(titles), { env: { VISUAL: editor.path } });
    await screen.shows(STARTED);
    await screen.enter("/title");
    await screen.shows("titled");
    expect(screen.output).toContain("\u001b]0;early\u0007");
    await screen.press("ctrlG");
    await editorIsUp(screen);
    const before = screen.output.length;
    await writeFile(join(screen.zotHome, "late"), "");
    await screen.until(() => existsSync(join(screen.zotHome, "seen")), "the title to be dealt with");
    expect(screen.output.slice(before)).toBe("");
    await writeFile(join(screen.zotHome, "go"), "");
    await screen.until(() => screen.output.includes("\u001b]0;late\u0007"), "the title");
    // The user's own title is the one that is kept, not that of the extension.
    expect(screen.output.lastIndexOf("\u001b]0;late")).toBeGreaterThan(screen.output.lastIndexOf("\u001b[22;0t"));
  });
});

describe.skipIf(!zotIsBuilt)("the end, while the user's own editor has the terminal,", () => {
  // What the kernel tells the others when the first process of a terminal ends is not what ends it.
  const remember = 'trap "" HUP; echo $$ > "$ZOT_HOME/pid"; printf EDITOR-HERE';
  const forever = "while :; do sleep 0.05; done";

  async function openEditor(path: string): Promise<{ readonly screen: Screen; readonly pid: number }> {
    const screen = await open(path);
    await screen.press("ctrlG");
    await editorIsUp(screen);
    return { screen, pid: Number(await readFile(join(screen.zotHome, "pid"), "utf8")) };
  }

  test.each([
    ["one that cleans up", `trap 'sleep 0.1; printf EDITOR-BYE; exit' TERM; ${remember}; ${forever}`, "EDITOR-BYE"],
    ["one that does not listen", `trap '' TERM; ${remember}; ${forever}`, ""],
    ["one that a script runs", `bash -c '${remember}; exec sleep 60'\necho it has ended`, ""],
  ])("ends %s, and leaves the terminal alone", async (_what, body, said) => {
    await using editor = await script(body);
    const { screen, pid } = await openEditor(editor.path);
    await using _screen = screen;
    expect(runs(pid)).toBe(true);
    const before = screen.output.length;
    screen.process.kill("SIGTERM");
    expect(await screen.exits()).toBe(143);
    expect(runs(pid)).toBe(false);
    expect(screen.output.slice(before)).toContain(said);
    expect(screen.output.slice(before)).not.toContain(SCREEN_ON);
  });

  test("does not wait for it when a second signal comes", async () => {
    await using editor = await script(`trap 'printf EDITOR-STAYS' TERM; ${remember}; ${forever}`);
    const { screen, pid } = await openEditor(editor.path);
    await using _screen = screen;
    screen.process.kill("SIGTERM");
    await screen.until(() => screen.output.includes("EDITOR-STAYS"), "the editor to be asked");
    screen.process.kill("SIGTERM");
    expect(await screen.exits()).toBe(143);
    expect(runs(pid)).toBe(false);
  });
});
