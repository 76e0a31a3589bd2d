import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";
import { takesKeys } from "./support/takes-keys.ts";

setDefaultTimeout(30_000);

const asking = [...offline(), "--no-yolo"];

describe.skipIf(!zotIsBuilt)("asking before a tool runs", () => {
  test("nothing runs until yes is said", async () => {
    await using screen = await openScreen(asking);
    await screen.enter('call bash {"command":"touch made"}');
    await screen.shows("may bash run?");
    await screen.shows("$ touch made");
    await screen.shows("? bash touch made  waits for your answer");
    await takesKeys(screen);
    expect(existsSync(join(screen.cwd, "made"))).toBe(false);
    screen.type("y");
    await screen.shows("● bash touch made");
    expect(existsSync(join(screen.cwd, "made"))).toBe(true);
  });

  test("no and esc keep it from running, and the model is told", async () => {
    for (const no of ["n", "\u001b"]) {
      await using screen = await openScreen(asking);
      await screen.enter('call bash {"command":"touch made"}');
      await screen.shows("may bash run?");
      await takesKeys(screen);
      screen.type(no);
      await screen.shows("denied by user");
      expect(existsSync(join(screen.cwd, "made"))).toBe(false);
    }
  });

  test("always this tool is remembered for this tool alone", async () => {
    await using screen = await openScreen(asking);
    await screen.enter('call bash {"command":"echo one"}');
    await screen.shows("may bash run?");
    await takesKeys(screen);
    screen.type("a");
    await screen.shows("● bash echo one");
    await screen.enter('call bash {"command":"echo two"}');
    await screen.shows("● bash echo two");
    await screen.enter('call read {"path":"nothing"}');
    await screen.shows("may read run?");
  });

  test("a write and an edit are shown as what they change", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "a.txt"), "one\ntwo\n");
    await using screen = await openScreen(asking, { cwd: dir.path, rows: 40 });
    await screen.enter(`call edit ${JSON.stringify({ path: "a.txt", edits: [{ oldText: "two", newText: "zwei" }] })}`);
    await screen.shows("may edit run?");
    await screen.shows(/^ -two$/m);
    await screen.shows(/^ \+zwei$/m);
    expect(await readFile(join(dir.path, "a.txt"), "utf8")).toBe("one\ntwo\n");
    await takesKeys(screen);
    screen.type("y");
    await screen.shows("● edit a.txt");
    await screen.enter(`call write ${JSON.stringify({ path: "new.txt", content: "fresh\n" })}`);
    await screen.shows("may write run?");
    await screen.shows(/^ \+fresh$/m);
  });

  test("what is asked can be read to its end, and a capital letter that comes as a sequence answers", async () => {
    await using screen = await openScreen(asking);
    await screen.shows("/help");
    const command = `${Array.from({ length: 300 }, (_, at) => `echo number ${at}`).join("; ")}; touch HIDDEN-END`;
    screen.paste(`call bash ${JSON.stringify({ command })}`);
    await screen.shows("[paste #1");
    await screen.press("enter");
    await screen.shows("may bash run?");
    await screen.shows(/… \d+ more below · pgdn/);
    await takesKeys(screen);
    screen.type("\u001b[F");
    await screen.shows("HIDDEN-END");
    await screen.shows(/… \d+ more above · pgup/);
    screen.type("\u001b[27;2;65~");
    await screen.shows("● bash");
    expect(existsSync(join(screen.cwd, "HIDDEN-END"))).toBe(true);
    await screen.enter('call read {"path":"nothing"}');
    await screen.shows("✗ read nothing");
  });

  test("shows the arguments as an extension has rewritten them", async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, "rewriter"));
    await writeFile(
      join(dir.path, "rewriter", "extension.json"),
      JSON.stringify({ name: "rewriter", exec: "./index.ts" }),
    );
    await writeFile(
      join(dir.path, "rewriter", "index.ts"),
      'import { extension } from "zot/ext";\nconst ext = extension({ name: "rewriter" });\next.intercept("tool_call", () => ({ modifiedArgs: { command: "echo rewritten" } }));\nawait ext.run();\n',
    );
    await using screen = await openScreen([...offline(join(dir.path, "rewriter")), "--no-yolo"]);
    await screen.shows(STARTED);
    await screen.enter('call bash {"command":"echo original"}');
    await screen.shows("may bash run?");
    await screen.shows("$ echo rewritten");
  });

  test("/yolo switches it off and on", async () => {
    await using screen = await openScreen(offline());
    await screen.enter("/yolo");
    await screen.shows("asks before tools");
    await screen.enter('call bash {"command":"echo x"}');
    await screen.shows("may bash run?");
    await screen.press("escape");
    await screen.shows("denied by user");
    await screen.enter("/yolo");
    await screen.hides("asks before tools");
    await screen.enter('call bash {"command":"echo y"}');
    await screen.shows("● bash echo y");
  });

  test("cancelling the turn takes the question back", async () => {
    await using screen = await openScreen(asking);
    await screen.enter('call bash {"command":"touch made"}');
    await screen.shows("may bash run?");
    screen.process.kill("SIGTERM");
    expect(await screen.exits()).toBe(143);
    expect(existsSync(join(screen.cwd, "made"))).toBe(false);
  });
});
