import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED, showcase } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

async function open(...extensions: readonly string[]): Promise<Screen> {
  const screen = await openScreen(offline(...(extensions.length === 0 ? [showcase] : extensions)));
  await screen.shows(STARTED);
  return screen;
}

async function frame(screen: Screen, fields: object): Promise<void> {
  screen.type(`/frame ${JSON.stringify(fields)}`);
  await screen.press("enter");
}

describe.skipIf(!zotIsBuilt)("what extensions show beside the transcript", () => {
  test("a note has its owner in front of every line, and goes with esc or the next prompt", async () => {
    await using screen = await open();
    await frame(screen, { type: "notify", level: "warn", message: "first\nsecond" });
    await screen.shows("[showcase] first");
    await screen.shows("[showcase] second");
    await screen.press("escape");
    await screen.hides("[showcase] first");
    await frame(screen, { type: "notify", level: "info", message: "third" });
    await screen.shows("[showcase] third");
    await screen.enter("say on");
    await screen.shows(/^on$/m);
    await screen.hides("[showcase] third");
  });

  test("statuses and widgets stay until they are cleared", async () => {
    await using screen = await open();
    await frame(screen, { type: "status", key: "k", text: "all is well" });
    await frame(screen, { type: "widget", id: "w", title: "Weather", lines: ["sunny", "warm"] });
    await screen.shows("  [showcase] all is well");
    await screen.shows("  [showcase] Weather");
    await screen.shows("  warm");
    await screen.enter("say on");
    await screen.shows(/^on$/m);
    await screen.shows("all is well");
    await frame(screen, { type: "status", key: "k", text: "" });
    await screen.hides("all is well");
    await frame(screen, { type: "widget_clear", id: "w" });
    await screen.hides("Weather");
  });

  test("many widgets and statuses are cut to their rows, and say so", async () => {
    await using screen = await openScreen(offline(showcase), { rows: 50 });
    await screen.shows(STARTED);
    const lines = Array.from({ length: 30 }, (_, index) => `row ${index}`);
    await frame(screen, { type: "widget", id: "w", title: "Big", lines });
    await screen.shows("... extension widgets truncated ...");
    expect(screen.lines.filter((line) => /^ {2}row \d+$/.test(line))).toHaveLength(10);
    for (let n = 0; n < 8; n += 1) await frame(screen, { type: "status", key: String(n), text: `status ${n}` });
    await screen.shows("... extension statuses truncated ...");
    expect(screen.lines.filter((line) => /\[showcase\] status \d/.test(line))).toHaveLength(5);
  });

  test("a bell rings, unless the setting is off", async () => {
    for (const rings of [true, false]) {
      await using home = await tempDir();
      await mkdir(join(home.path, "zot"));
      await writeFile(join(home.path, "zot", "config.json"), JSON.stringify({ terminal_alerts_enabled: rings }));
      await using screen = await openScreen(offline(showcase), { home: home.path });
      await screen.shows(STARTED);
      await screen.settles();
      const before = screen.bells;
      await frame(screen, { type: "alert", kind: "bell", reason: "done" });
      // Frames come in order: when the note is there, the bell has been dealt with.
      await frame(screen, { type: "notify", level: "info", message: "behind the bell" });
      await screen.shows("[showcase] behind the bell");
      expect(screen.bells - before).toBe(rings ? 1 : 0);
    }
  });

  test("text for the editor is put at the cursor, and a title on the window", async () => {
    await using screen = await open();
    await frame(screen, { type: "extension_ui_request", id: "e", method: "set_editor_text", text: "for the editor" });
    await screen.shows(/^ for the editor$/m);
    await screen.press("ctrlC");
    await frame(screen, { type: "extension_ui_request", id: "t", method: "setTitle", title: "my title" });
    await screen.until(() => screen.output.includes("\u001b]0;my title\u0007"), "the title to be set");
  });

  test("a submitted prompt is literal, whatever it starts with", async () => {
    await using screen = await open();
    await frame(screen, { type: "submit", text: "!touch pwned" });
    await screen.shows("› !touch pwned");
    await screen.shows("offline model");
  });

  test("/reload-ext brings the version that is on disk now", async () => {
    await using dir = await tempDir();
    const own = join(dir.path, "hello");
    await cp(showcase, own, { recursive: true });
    const source = (word: string): string =>
      `import { display, extension } from "zot/ext";\nconst ext = extension({ name: "showcase" });\next.command("word", { description: "says it" }, () => display("the word is ${word}"));\nawait ext.run();\n`;
    await writeFile(join(own, "index.js"), source("old"));
    await using screen = await open(own);
    await screen.enter("/word");
    await screen.shows("the word is old");
    await writeFile(join(own, "index.js"), source("new"));
    await screen.enter("/reload-ext");
    await screen.shows("reloaded: 1 stopped, 1 loaded (1 ready)");
    await screen.enter("/word");
    await screen.shows("the word is new");
    await writeFile(join(own, "index.js"), "throw new Error('broken now');\n");
    await screen.enter("/reload-ext");
    await screen.shows("1 error");
    await screen.shows("extension load:");
    await writeFile(join(own, "index.js"), source("newer"));
    await screen.enter("/reload-ext");
    await screen.hides("extension load:");
    await screen.enter("/word");
    await screen.shows("the word is newer");
  });

  test("/reload-ext in the middle of a call ends the turn, and the tool works again afterwards", async () => {
    await using screen = await open();
    await screen.enter("call slow {}");
    await screen.shows("◐ slow");
    await screen.enter("/reload-ext");
    await screen.shows("reloaded: 1 stopped, 1 loaded (1 ready)");
    await screen.hides("◐ slow");
    await screen.enter("call slow {}");
    await screen.shows("slow is done");
  });

  test("/ext lists them, shows a log, and says what is wrong", async () => {
    await using screen = await openScreen(offline(showcase), { rows: 60 });
    await screen.shows(STARTED);
    await screen.enter("/ext");
    await screen.shows(/showcase \[explicit\] ready in \d+ ms/);
    await screen.enter("/ext logs showcase");
    await screen.shows("ext-showcase.log");
    await screen.enter("/ext doctor");
    await screen.shows("commands: panel, tall");
  });
});
