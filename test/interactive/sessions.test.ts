import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

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
