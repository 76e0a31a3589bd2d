import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, served, showcase } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

const TRIES = 20;
const MOUSE_ON = "\u001b[?1000h";

/** What the terminal was told to put on the clipboard. */
function copied(screen: Screen): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the sequence is what is looked for
  return [...screen.output.matchAll(/\u001b\]52;c;([A-Za-z0-9+/=]*)\u0007/g)].map(([, data = ""]) => {
    return Buffer.from(data, "base64").toString("utf8");
  });
}

async function saved(screen: Screen): Promise<unknown> {
  return JSON.parse(await readFile(join(screen.zotHome, "config.json"), "utf8"));
}

describe.skipIf(!zotIsBuilt)("commands of the screen", () => {
  test("/copy puts the last answer on the clipboard as the model wrote it", async () => {
    const answer = "# Heading\n\n**bold** and `code`: grüße 👍\n";
    await using server = await startModelServer([{ text: "the first one" }, { text: answer }]);
    await using screen = await openScreen(served(server));
    await screen.shows("/help");
    await screen.enter("/copy");
    await screen.shows("There is no answer to copy yet.");
    expect(copied(screen)).toEqual([]);
    await screen.enter("one");
    await screen.shows("the first one");
    await screen.enter("two");
    await screen.shows("grüße");
    await screen.enter("/copy");
    await screen.shows(/copied \d+ characters/);
    expect(copied(screen).map((text) => text.trim())).toEqual([answer.trim()]);
  });

  test("/settings turns the bell of extensions off, at once and for later runs, and on again", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(/extensions .*\(\d+ ms\)$/m);
    const bell = async (): Promise<number> => {
      const before = screen.bells;
      await screen.enter('/frame {"type":"alert","kind":"bell","reason":"done"}');
      await screen.enter('/frame {"type":"notify","level":"info","message":"behind it"}');
      await screen.shows("[showcase] behind it");
      await screen.press("escape");
      await screen.hides("[showcase] behind it");
      return screen.bells - before;
    };
    for (const state of ["off", "on"]) {
      await screen.enter("/settings");
      await screen.shows("bell of extensions");
      screen.type("bell");
      await screen.shows("› bell");
      await screen.press("enter");
      await screen.shows(new RegExp(`bell of extensions +${state}`));
      await screen.press("escape");
      await screen.hides("bell of extensions");
      expect(await saved(screen)).toMatchObject({ terminal_alerts_enabled: state === "on" });
      if (state === "off") expect(await bell()).toBe(0);
      // The host lets an extension ring once a second.
      else for (let n = 0; n < TRIES && (await bell()) === 0; n += 1) expect(n).toBeLessThan(TRIES - 1);
    }
  });

  test("/settings turns the mouse off for the next run", async () => {
    await using home = await tempDir();
    {
      await using screen = await openScreen(offline(), { home: home.path });
      await screen.shows("/help");
      expect(screen.output).toContain(MOUSE_ON);
      await screen.enter("/settings");
      await screen.shows("mouse");
      screen.type("mouse");
      await screen.shows("› mouse");
      await screen.press("enter");
      await screen.shows(/mouse +off/);
      expect(await saved(screen)).toMatchObject({ mouse: false });
    }
    await using screen = await openScreen(offline(), { home: home.path });
    await screen.shows("/help");
    expect(screen.output).not.toContain(MOUSE_ON);
  });
});
