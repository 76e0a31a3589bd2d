import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

const CLAUDE = { provider: "anthropic", model: "claude-sonnet-4-5" };

/** Leaves one conversation of that model behind. */
async function sessionOf(
  place: { readonly home: string; readonly cwd: string },
  { provider, model }: { readonly provider: string; readonly model: string },
): Promise<void> {
  {
    await using screen = await openScreen(offline(), place);
    await screen.enter("say by whoever");
    await screen.shows(/^by whoever$/m);
    await screen.press("ctrlD");
    await screen.exits();
  }
  const [file = ""] = await Array.fromAsync(new Bun.Glob("zot/sessions/*/*.jsonl").scan(place.home));
  const path = join(place.home, file);
  const rows = await readFile(path, "utf8");
  const named = rows.replaceAll(
    '"model":"offline","provider":"offline"',
    `"model":"${model}","provider":"${provider}"`,
  );
  expect(named).not.toBe(rows);
  await writeFile(path, named);
}

describe.skipIf(!zotIsBuilt)("conversations on disk", () => {
  test("an earlier one is found by its title, shown again, and goes on", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    {
      await using screen = await openScreen(offline(), place);
      await screen.enter("say remember the milk");
      await screen.shows(/^remember the milk$/m);
      await screen.enter('call bash {"command":"echo from the card"}');
      await screen.shows("● bash");
      await screen.enter("/session rename shopping list");
      await screen.press("ctrlD");
      expect(await screen.exits()).toBe(0);
    }
    await using screen = await openScreen(offline(), place);
    await screen.enter("/resume");
    await screen.shows("go on with");
    await screen.shows("shopping list");
    await screen.press("enter");
    await screen.shows(/^remember the milk$/m);
    await screen.shows("  from the card");
    await screen.enter("say and butter");
    await screen.shows(/^and butter$/m);
    await screen.enter("/session fork");
    await screen.shows("This is a fork now");
    await screen.enter("/session");
    await screen.shows("fork of");
    await screen.enter("/session tree");
    await screen.shows(/^ shopping list\s/m);
    await screen.shows(/└ .*\(open\)/);
  });

  test("--continue goes on with the newest", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    {
      await using screen = await openScreen(offline(), place);
      await screen.enter("say once upon a time");
      await screen.shows(/^once upon a time$/m);
      await screen.press("ctrlD");
      await screen.exits();
    }
    await using screen = await openScreen([...offline(), "--continue"], place);
    await screen.shows(/^once upon a time$/m);
  });

  test("--resume lets choose first: keys go to the choice, and the prompt of the command line follows it", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    for (const words of ["older", "newer"]) {
      await using screen = await openScreen(offline(), place);
      await screen.enter(`say ${words}`);
      await screen.shows(new RegExp(`^${words}$`, "m"));
      await screen.press("ctrlD");
      await screen.exits();
    }
    const flags = [...offline(), "--resume", "--", "say what follows"];
    await using screen = await openScreen(flags, { ...place, typedAtOnce: "\u001b[B" });
    await screen.shows("go on with");
    await screen.press("enter");
    await screen.shows(/^older$/m);
    await screen.shows(/^what follows$/m);
    expect(screen.text.indexOf("what follows")).toBeGreaterThan(screen.text.indexOf("older"));
    await screen.enter("/session");
    await screen.shows(/messages +4$/m);
  });

  test("one goes on with the model that it was held with, where that can be used", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    await sessionOf(place, CLAUDE);
    {
      await using screen = await openScreen(["--no-ext"], { ...place, env: { ANTHROPIC_API_KEY: "test-key" } });
      await screen.shows("/help");
      await screen.enter("/model offline/offline");
      await screen.shows("Talking to offline/offline");
      await screen.enter("/resume");
      await screen.shows("say by whoever");
      await screen.press("enter");
      await screen.shows(/^by whoever$/m);
      await screen.until(() => screen.lines.at(-1)?.includes(CLAUDE.model) === true, "its model");
    }
    await using screen = await openScreen(["--no-ext"], place);
    await screen.shows("offline/offline");
    await screen.enter("/resume");
    await screen.shows("say by whoever");
    await screen.press("enter");
    await screen.shows(`It was held with anthropic/${CLAUDE.model}, which cannot be used now`);
    expect(screen.lines.at(-1)).toContain("offline");
  });

  test("the model of the command line stays, and the conversation remembers it", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path, env: { ANTHROPIC_API_KEY: "test-key" } };
    await sessionOf(place, CLAUDE);
    {
      await using screen = await openScreen([...offline(), "--resume"], place);
      await screen.shows("go on with");
      await screen.press("enter");
      await screen.shows(/^by whoever$/m);
      await screen.enter("say by the other one");
      await screen.shows(/^by the other one$/m);
      await screen.press("ctrlD");
      await screen.exits();
    }
    await using screen = await openScreen(["--no-ext", "--continue"], place);
    await screen.shows("offline/offline");
  });

  test("one that began without a model goes on when there is one", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    {
      await using screen = await openScreen(["--no-ext"], place);
      await screen.shows("No model yet");
      await screen.enter("anybody there?");
      await screen.shows("there is no model yet");
      await screen.press("ctrlD");
      await screen.exits();
    }
    await using screen = await openScreen(["--no-ext", "--continue"], place);
    await screen.shows("anybody there?");
    await screen.shows("No model yet");
    expect(screen.text).not.toContain("unknown provider");
  });

  test("one whose provider is gone is opened all the same", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    await sessionOf(place, { provider: "gone-provider", model: "gone" });
    await using screen = await openScreen(["--no-ext", "--continue"], place);
    await screen.shows(/^by whoever$/m);
    await screen.shows("unknown provider");
  });

  test("leaving tells the way back, and it leads there", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path, cols: 120 };
    const session = join(cwd.path, "my talk.jsonl");
    for (const flags of [[], ["--session", session]]) {
      await using first = await openScreen([...offline(), ...flags], place);
      await first.enter("say back in a moment");
      await first.shows(/^back in a moment$/m);
      await first.press("ctrlD");
      expect(await first.exits()).toBe(0);
      const words = /goes on with: zot (--\w+) (.+)$/m.exec(first.text);
      const [, flag = "", value = ""] = words ?? [];
      expect(flag).toBe(flags.length === 0 ? "--resume" : "--session");
      // As a shell would take it.
      await using second = await openScreen([...offline(), flag, value.replace(/^'(.*)'$/, "$1")], place);
      await second.shows(/^back in a moment$/m);
    }
  });

  test("leaving tells no way back to what was not said or not kept", async () => {
    for (const flags of [[], ["--no-session"]]) {
      await using screen = await openScreen([...offline(), ...flags]);
      await screen.shows("/help");
      if (flags.length > 0) {
        await screen.enter("say not to be kept");
        await screen.shows(/^not to be kept$/m);
      }
      await screen.press("ctrlD");
      expect(await screen.exits()).toBe(0);
      expect(screen.text).not.toContain("goes on with");
    }
  });

  test("/clear empties the screen and the conversation", async () => {
    await using screen = await openScreen(offline());
    await screen.enter("say old words");
    await screen.shows(/^old words$/m);
    await screen.enter("/clear");
    await screen.hides("old words");
    await screen.shows("/help");
  });

  test("/clear begins another conversation in the same file: what was said before names nothing", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    {
      await using screen = await openScreen(offline(), place);
      await screen.enter("say before");
      await screen.shows(/^before$/m);
      await screen.enter("/clear everything");
      await screen.shows("/clear: takes nothing behind it");
      await screen.shows(/^before$/m);
      await screen.enter("/clear");
      await screen.hides("before");
      await screen.enter("/session");
      await screen.shows("A conversation without a title");
      await screen.press("ctrlD");
      await screen.exits();
    }
    await using screen = await openScreen(offline(), place);
    await screen.enter("/resume");
    await screen.shows("There is no other conversation");
    await screen.enter("say after");
    await screen.shows(/^after$/m);
    await screen.enter("/session");
    await screen.shows(/^ *say after$/m);
  });

  test("one that is open already is not opened again, and a fork by another zot is told", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path, cols: 110 };
    await using first = await openScreen(offline(), place);
    await first.enter("say mine");
    await first.shows(/^mine$/m);
    await first.enter("/session");
    await first.shows(/id +[0-9a-f-]{36}/);
    const id = /id +([0-9a-f-]{36})/.exec(first.text)?.[1] ?? "";
    await first.enter(`/resume ${id}`);
    await first.shows("open already");
    await using second = await openScreen(offline(), place);
    await second.shows("/help");
    await second.enter(`/resume ${id}`);
    await second.shows(/^mine$/m);
    await second.shows("goes on in a fork");
  });

  test("/jump scrolls to a prompt", async () => {
    await using screen = await openScreen(offline());
    for (const word of ["first", "second", "third", "fourth", "fifth", "sixth"]) {
      await screen.enter(`say the ${word} answer`);
      await screen.shows(new RegExp(`^the ${word} answer$`, "m"));
    }
    expect(screen.text).not.toContain("› say the first answer");
    await screen.enter("/jump");
    await screen.shows("jump to");
    screen.type("first");
    await screen.press("enter");
    await screen.shows("› say the first answer");
  });
});
