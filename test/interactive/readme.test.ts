import { describe, expect, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Settings } from "../../src/surfaces/interactive/settings/settings.ts";
import { ROLES } from "../../src/surfaces/interactive/theme/roles.ts";
import { readTheme } from "../../src/surfaces/interactive/theme/theme-file.ts";
import { tempDir } from "../support/temp-dir.ts";
import { repoRoot, zotIsBuilt } from "../support/zot.ts";
import { offline } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

const readme = await readFile(join(repoRoot, "src/surfaces/interactive/README.md"), "utf8");

/** What stands in backquotes in the first column of the tables of a chapter. */
function named(chapter: string): string[] {
  const text = readme.split(/^## /m).find((each) => each.startsWith(chapter)) ?? "";
  const rows = [...text.matchAll(/^\| (.*?[^\\]) \|/gm)].map(([, first = ""]) => first);
  return rows.flatMap((first) => [...first.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

describe("the README of the screen", () => {
  test("names every role of a theme, and no other", () => {
    expect(named("Themes").sort()).toEqual([...ROLES].sort());
  });

  test("shows a theme that can be used", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "theme.json");
    await writeFile(path, /```json\n(.*?)```/s.exec(readme)?.[1] ?? "");
    expect(readTheme(path, "")).toMatchObject({ theme: { name: "sunset", colours: { accent: "#ff9e64" } } });
  });

  test("names the settings that there are", async () => {
    await using home = await tempDir();
    const names = named("Settings");
    // A value of the wrong kind is named for every setting that exists, and for no other member.
    await writeFile(
      join(home.path, "config.json"),
      JSON.stringify(Object.fromEntries(names.map((name) => [name, {}]))),
    );
    const { faults } = new Settings(home.path);
    expect(names.filter((name) => !faults.some((fault) => fault.includes(`: ${name}: `)))).toEqual([]);
  });

  test.skipIf(!zotIsBuilt)("names every command, and no other", async () => {
    await using screen = await openScreen(offline(), { rows: 60, cols: 120 });
    await screen.shows("enter sends");
    await screen.enter("/help");
    await screen.shows("Commands");
    await screen.shows("/exit");
    const listed = [...screen.text.matchAll(/^ +\/([a-z-]+) /gm)].map(([, name = ""]) => `/${name}`);
    const described = named("Commands").map((name) => name.split(" ")[0] ?? "");
    expect([...new Set(listed)].filter((name) => !described.includes(name))).toEqual([]);
    // Aliases are not listed.
    expect(described.filter((name) => !listed.includes(name))).toEqual(["/sessions", "/quit"]);
  });
});
