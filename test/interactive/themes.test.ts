import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { BUILTIN_THEMES } from "../../src/surfaces/interactive/theme/builtin.ts";
import { colourSgr, isColour } from "../../src/surfaces/interactive/theme/colour.ts";
import { colourDepth } from "../../src/surfaces/interactive/theme/depth.ts";
import type { Role } from "../../src/surfaces/interactive/theme/roles.ts";
import { readTheme } from "../../src/surfaces/interactive/theme/theme-file.ts";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, showcase } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

describe("colours", () => {
  test("how many there are is told by the environment, and the user has the last word", () => {
    expect(colourDepth({ TERM: "xterm" })).toBe("16");
    expect(colourDepth({ TERM: "xterm-256color" })).toBe("256");
    expect(colourDepth({ TERM: "xterm-256color", COLORTERM: "truecolor" })).toBe("truecolor");
    expect(colourDepth({ TERM: "dumb" })).toBe("none");
    expect(colourDepth({ TERM: "xterm-256color", COLORTERM: "truecolor", NO_COLOR: "1" })).toBe("none");
    expect(colourDepth({ TERM: "dumb", FORCE_COLOR: "3" })).toBe("truecolor");
  });

  test("a colour is written as the terminal can show it", () => {
    expect(colourSgr("#ff0000", "fg", "truecolor")).toBe("\u001b[38;2;255;0;0m");
    expect(colourSgr("#ff0000", "fg", "256")).toBe("\u001b[38;5;196m");
    expect(colourSgr("#ff0000", "fg", "16")).toBe("\u001b[91m");
    expect(colourSgr("#ff0000", "bg", "16")).toBe("\u001b[101m");
    expect(colourSgr("#ff0000", "fg", "none")).toBe("");
    expect(colourSgr("brightBlue", "bg", "truecolor")).toBe("\u001b[104m");
    expect(colourSgr(200, "fg", "256")).toBe("\u001b[38;5;200m");
    expect(colourSgr("default", "fg", "16")).toBe("\u001b[39m");
  });

  test("on fewer colours what differs still differs, and greys stay grey", () => {
    for (const { name, colours } of BUILTIN_THEMES) {
      const on16 = (role: Role): string => colourSgr(colours[role], "fg", "16");
      const apart = [on16("accent"), on16("success"), on16("warn"), on16("error"), on16("muted"), on16("text")];
      expect(`${name}: ${new Set(apart).size}`).toBe(`${name}: ${apart.length}`);
      expect(on16("added")).not.toBe(on16("removed"));
      expect(colourSgr(colours.selectedBackground, "bg", "16")).not.toBe(colourSgr(colours.userBackground, "bg", "16"));
    }
    expect(colourSgr("#2a2e37", "bg", "256")).toBe("\u001b[48;5;236m");
    expect(colourSgr("#9aa0aa", "fg", "256")).toBe("\u001b[38;5;247m");
    expect(colourSgr("#000000", "fg", "256")).toBe("\u001b[38;5;16m");
    expect(colourSgr("#ffffff", "fg", "256")).toBe("\u001b[38;5;231m");
    expect(colourSgr(244, "fg", "16")).toBe("\u001b[90m");
    expect(colourSgr(196, "fg", "16")).toBe("\u001b[91m");
  });

  test("any colour is written in any depth", () => {
    const value = fc.oneof(fc.nat(255), fc.stringMatching(/^#[0-9a-f]{6}$/), fc.stringMatching(/^#[0-9a-f]{3}$/));
    fc.assert(
      fc.property(value, (colour) => {
        expect(colourSgr(colour, "fg", "16").slice(1)).toMatch(/^\[(3[0-7]|9[0-7])m$/);
        expect(colourSgr(colour, "bg", "256").slice(1)).toMatch(/^\[(4[0-7]|10[0-7]|48;5;\d{1,3})m$/);
      }),
    );
  });

  test("what is none is told from what is one", () => {
    for (const good of ["#abc", "#a0b1c2", "red", "brightBlack", "default", 0, 255]) expect(isColour(good)).toBe(true);
    for (const bad of ["#ab", "reddish", "", -1, 256, 1.5, "\u001b[31m"]) expect(isColour(bad)).toBe(false);
  });
});

describe("theme files", () => {
  const bad: readonly (readonly [string, string])[] = [
    ["{", "not JSON"],
    ["[]", "theme"],
    ['{"colors":{"accent":"nonsense"}}', "colors.accent"],
    ['{"colors":{"acent":"red"}}', "colors"],
    ['{"base":"purple","colors":{}}', "base"],
  ];
  for (const [text, words] of bad) {
    test(`${text} is one line that says what is wrong`, async () => {
      await using dir = await tempDir();
      const path = join(dir.path, "theme.json");
      await writeFile(path, text);
      const file = readTheme(path, "x");
      if (!("fault" in file)) throw new Error("it was taken");
      expect(file.fault).toContain(words);
      expect(file.fault).toContain(path);
    });
  }

  test("roles that are left out come from the base", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "theme.json");
    await writeFile(path, '{"base":"light","colors":{"accent":"#123456"}}');
    const file = readTheme(path, "mine");
    if (!("theme" in file)) throw new Error(file.fault);
    expect(file.theme.name).toBe("mine");
    expect(file.theme.colours.accent).toBe("#123456");
    expect(file.theme.colours.error).toBe("#c62828");
  });
});

describe.skipIf(!zotIsBuilt)("themes on the screen", () => {
  const ACCENT = 0x12_34_56;

  /** The name of the program is in the accent colour. */
  function accent(screen: Screen): number | undefined {
    return screen.cell(0, 0)?.getFgColor();
  }

  test("/theme previews, keeps what is chosen and goes back from what is not", async () => {
    await using screen = await openScreen(offline(), { env: { COLORTERM: "truecolor" } });
    await mkdir(join(screen.zotHome, "themes"), { recursive: true });
    await writeFile(join(screen.zotHome, "themes", "mine.json"), '{"colors":{"accent":"#123456"}}');
    await screen.shows("/help");
    const before = accent(screen);
    await screen.enter("/theme");
    await screen.shows("built in");
    screen.type("mine");
    await screen.until(() => accent(screen) === ACCENT, "the preview");
    await screen.press("escape");
    await screen.until(() => accent(screen) === before, "the old colours");
    await screen.enter("/theme mine");
    await screen.until(() => accent(screen) === ACCENT, "the new colours");
    const saved = JSON.parse(await readFile(join(screen.zotHome, "config.json"), "utf8"));
    expect(saved).toEqual({ theme: "mine" });
  });

  test("/theme auto follows the terminal again", async () => {
    const options = { env: { COLORTERM: "truecolor" }, background: "ffff/ffff/ffff" };
    await using screen = await openScreen(offline(), options);
    const LIGHT_ACCENT = 0x2f_5f_d0;
    await screen.until(() => accent(screen) === LIGHT_ACCENT, "the light theme");
    await screen.enter("/theme dark");
    await screen.until(() => accent(screen) !== LIGHT_ACCENT, "the dark theme");
    await screen.enter("/theme auto");
    await screen.until(() => accent(screen) === LIGHT_ACCENT, "the light theme again");
    await screen.until(
      () => readFileSync(join(screen.zotHome, "config.json"), "utf8").includes('"auto"'),
      "the setting",
    );
  });

  test("an extension may ship one, with or without a process", async () => {
    await using dir = await tempDir();
    const folder = join(dir.path, "sunset");
    await mkdir(folder);
    await writeFile(join(folder, "extension.json"), JSON.stringify({ name: "sunset" }));
    await writeFile(join(folder, "theme.json"), '{"colors":{"accent":"#123456"}}');
    await using home = await tempDir();
    await mkdir(join(home.path, "zot"), { recursive: true });
    await writeFile(join(home.path, "zot", "config.json"), '{"theme":"sunset","unknown":1}');
    const options = { home: home.path, env: { COLORTERM: "truecolor" } };
    await using screen = await openScreen(offline(folder, showcase), options);
    await screen.until(() => accent(screen) === ACCENT, "the theme of the extension");
    await screen.enter("/theme");
    await screen.shows("from sunset");
  });

  test("on a light background the light theme is used", async () => {
    await using screen = await openScreen(offline(), { env: { COLORTERM: "truecolor" }, background: "ffff/ffff/ffff" });
    await screen.until(() => accent(screen) === 0x2f_5f_d0, "the light theme");
  });

  test("sixteen colours are enough", async () => {
    await using screen = await openScreen(offline(), { env: { TERM: "xterm" } });
    await screen.shows("/help");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(screen.output).not.toMatch(/\u001b\[[34]8[;:]/);
    expect(screen.cell(0, 0)?.isFgPalette()).toBe(true);
  });
});
