import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, showcase } from "./support/fixtures.ts";
import { openScreen, openTerminal } from "./support/screen.ts";

setDefaultTimeout(30_000);

describe.skipIf(!zotIsBuilt)("the first screen", () => {
  test("tells the model, the directory, the extensions and what to press", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows("offline/offline");
    await screen.shows(screen.cwd.slice(-20));
    await screen.shows(/extensions\s+showcase \(\d+ ms\)/);
    await screen.shows("/help");
    expect(screen.isAlternate).toBe(true);
  });

  test("is there while an extension still says nothing", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "extension.json"), JSON.stringify({ name: "mute", exec: "./mute.sh" }));
    await writeFile(join(dir.path, "mute.sh"), "#!/bin/sh\nexec sleep 20\n", { mode: 0o755 });
    await using screen = await openScreen(offline(dir.path));
    await screen.shows("mute (starting)");
    screen.type("already typing");
    await screen.shows("already typing");
  });

  test.each([
    ["a prompt", "say typed early\r", /^typed early$/m],
    ["a command", "/reasoning high\r", "high"],
    ["a text that is not finished", "only half of", /^ only half of$/m],
  ])("loses no key of %s that is typed in its first moment", async (_what, typedAtOnce, shown) => {
    await using screen = await openScreen(offline(), { typedAtOnce });
    await screen.shows(shown);
  });

  test("holds keys for as long as nobody takes them, and hands them on in their order", async () => {
    await using dir = await tempDir();
    const signal = join(dir.path, "somebody-is-there");
    const fixture = join(import.meta.dir, "fixtures/late-keys.ts");
    const typedAtOnce = "first\rthen ";
    await using screen = await openTerminal([process.execPath, fixture, dir.path, signal], { typedAtOnce });
    await screen.shows("zot test");
    await screen.settles();
    expect(screen.text).not.toContain("first");
    await writeFile(signal, "");
    await screen.shows("sent: first");
    await screen.shows(/^ then$/m);
    screen.type("more");
    await screen.shows(/^ then more$/m);
    await screen.press("enter");
    await screen.shows("sent: then more");
    await screen.press("ctrlD");
    expect(await screen.exits()).toBe(0);
  });

  test("names what did not load, with its log, in red until /clear", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "extension.json"), JSON.stringify({ name: "broken", exec: "./broken.sh" }));
    await writeFile(join(dir.path, "broken.sh"), "#!/bin/sh\nexit 3\n", { mode: 0o755 });
    await using screen = await openScreen(offline(dir.path), { cols: 200 });
    await screen.shows(/extension load: .*exit status 3/);
    await screen.shows("ext-broken.log");
    const row = screen.lines.findIndex((line) => line.includes("extension load"));
    expect(screen.cell(2, row)?.isFgDefault()).toBe(false);
    await screen.enter("say hello");
    await screen.shows(/^hello$/m);
    await screen.shows("extension load");
    await screen.enter("/clear");
    await screen.hides("extension load");
  });

  test("opens without a model, says what to do, and the offline model is one command away", async () => {
    await using screen = await openScreen(["--no-ext"]);
    await screen.shows("No model yet");
    await screen.shows("/login");
    await screen.enter("anybody there?");
    await screen.shows("there is no model yet");
    await screen.enter("/model offline/offline");
    await screen.shows("Talking to offline/offline");
    await screen.enter("say now there is one");
    await screen.shows(/^now there is one$/m);
    await screen.hides("No model yet");
  });

  test("a provider that does not exist is refused before the screen is taken", async () => {
    await using screen = await openScreen(["--provider", "nonsense"]);
    expect(await screen.exits()).toBe(2);
    expect(screen.output).not.toContain("\u001b[?1049h");
    await screen.shows("unknown provider");
  });

  test("a provider of the settings that is gone is told on the screen, where another can be chosen", async () => {
    await using home = await tempDir();
    await mkdir(join(home.path, "zot"));
    await writeFile(join(home.path, "zot", "config.json"), '{"provider":"gone-provider","model":"x"}');
    await using screen = await openScreen(["--no-ext"], { home: home.path });
    await screen.shows('unknown provider "gone-provider"');
    await screen.enter("/model offline/offline");
    await screen.shows("Talking to offline/offline");
  });

  test("a terminal that cannot show it is told what can be done in it", async () => {
    await using screen = await openScreen(offline(), { env: { TERM: "dumb" } });
    expect(await screen.exits()).toBe(2);
    expect(screen.output).not.toContain("\u001b[?1049h");
    await screen.shows("for one prompt: zot -p");
  });

  test("says a prompt from the command line", async () => {
    await using screen = await openScreen([...offline(), "say from the command line"]);
    await screen.shows(/^from the command line$/m);
  });

  test("without colours there are none", async () => {
    await using screen = await openScreen(offline(), { env: { NO_COLOR: "1" } });
    await screen.shows("/help");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(screen.output).not.toMatch(/\u001b\[(3[0-8]|4[0-8]|9\d|10\d)[;m]/);
  });

  test("a broken theme file is a line, and the screen is there all the same", async () => {
    await using home = await tempDir();
    await mkdir(join(home.path, "zot", "themes"), { recursive: true });
    await writeFile(join(home.path, "zot", "themes", "bad.json"), `{"colors":{"accent":"#nothex"}}`);
    await writeFile(join(home.path, "zot", "config.json"), `{"theme":"bad"}`);
    await using screen = await openScreen(offline(), { home: home.path, cols: 160 });
    await screen.shows("colors.accent");
    await screen.shows("there is no theme bad");
    await screen.enter("say still here");
    await screen.shows(/^still here$/m);
  });
});
