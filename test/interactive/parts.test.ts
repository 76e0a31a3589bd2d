import { describe, expect, test } from "bun:test";
import { lstat, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { FileIndex } from "../../src/surfaces/interactive/editor/file-index.ts";
import { PromptHistory } from "../../src/surfaces/interactive/editor/history.ts";
import { panelKey } from "../../src/surfaces/interactive/extensions/panel-keys.ts";
import { allot } from "../../src/surfaces/interactive/screen/allot.ts";
import { Settings } from "../../src/surfaces/interactive/settings/settings.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("rows of the screen", () => {
  test("are never more than there are, and everybody's least comes before anybody's wish", () => {
    const wish = fc.record({ min: fc.nat(10), want: fc.nat(60) });
    fc.assert(
      fc.property(fc.nat(80), fc.nat(20), fc.array(wish, { maxLength: 8 }), (rows, rest, wishes) => {
        const given = allot(rows, rest, wishes);
        const sum = given.reduce((total, size) => total + size, 0);
        expect(sum).toBeLessThanOrEqual(rows);
        const least = wishes.reduce((total, { min, want }) => total + Math.min(min, want), 0);
        for (const [index, size] of given.entries()) {
          const { min, want } = wishes[index] ?? { min: 0, want: 0 };
          expect(size).toBeLessThanOrEqual(want);
          if (least <= rows) expect(size).toBeGreaterThanOrEqual(Math.min(min, want));
        }
        // The rest is kept free unless the least of all needs it.
        if (least + rest <= rows) expect(rows - sum).toBeGreaterThanOrEqual(rest);
      }),
    );
  });
});

describe("keys of a panel", () => {
  test("have the protocol's names, and those without one are dropped", () => {
    expect(panelKey("\u001b[A")).toEqual({ kind: "named", name: "up" });
    expect(panelKey("\r")).toEqual({ kind: "named", name: "enter" });
    expect(panelKey(" ")).toEqual({ kind: "rune", text: " " });
    expect(panelKey("ß")).toEqual({ kind: "rune", text: "ß" });
    expect(panelKey("\u001b")).toEqual({ kind: "close" });
    expect(panelKey("\u0003")).toEqual({ kind: "close" });
    expect(panelKey("\u001b[200~a\nb\u001b[201~")).toEqual({ kind: "paste", text: "a\nb" });
    for (const unnamed of ["\u001b[Z", "\u001bOP", "\u0001", "\u001bx"])
      expect(panelKey(unnamed)).toEqual({ kind: "none" });
  });
});

describe("files for completion", () => {
  test("are those that git would not ignore, nested rules and exceptions included", async () => {
    await using dir = await tempDir();
    const file = async (path: string, text = ""): Promise<void> => {
      await mkdir(join(dir.path, path, ".."), { recursive: true });
      await writeFile(join(dir.path, path), text);
    };
    await file(".gitignore", "*.log\nbuild/\n");
    await file("a.ts");
    await file("a.log");
    await file("build/out.js");
    await file("sub/.gitignore", "!keep.log\nsecret\n");
    await file("sub/keep.log");
    await file("sub/secret");
    await file("node_modules/x/index.js");
    await file(".git/config");
    const paths = await new FileIndex(dir.path).paths();
    expect([...paths].sort()).toEqual([".gitignore", "a.ts", "sub/", "sub/.gitignore", "sub/keep.log"]);
  });

  test("an unreadable place is left out", async () => {
    expect(await new FileIndex("/nonexistent/place").paths()).toEqual([]);
  });
});

describe("what was typed before", () => {
  test("is kept for its owner, without doubles, and a damaged line costs only itself", async () => {
    await using home = await tempDir();
    const history = new PromptHistory(home.path, "/project");
    for (const entry of ["one", "two", "two", "  "]) history.add(entry);
    await history.flush();
    const [name = ""] = await Array.fromAsync(new Bun.Glob("history/*.jsonl").scan(home.path));
    const path = join(home.path, name);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await writeFile(path, `${await readFile(path, "utf8")}{"half": \n"three"\n`);
    expect(new PromptHistory(home.path, "/project").load()).toEqual(["one", "two", "three"]);
    expect(new PromptHistory(home.path, "/elsewhere").load()).toEqual([]);
  });
});

describe("settings", () => {
  test("are written where a link leads to, and the link stays", async () => {
    await using home = await tempDir();
    await using dotfiles = await tempDir();
    const [link, file] = [join(home.path, "config.json"), join(dotfiles.path, "zot.json")];
    for (const text of ['{"future":1}', undefined]) {
      if (text === undefined) await rm(file);
      else await writeFile(file, text);
      if (text !== undefined) await symlink(file, link);
      await new Settings(home.path).set("theme", "light");
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ theme: "light" });
    }
  });

  test("keep what they do not know, and name what is wrong", async () => {
    await using home = await tempDir();
    const path = join(home.path, "config.json");
    await writeFile(path, '{"theme":"light","mouse":"often","future":{"a":1}}');
    const settings = new Settings(home.path);
    expect(settings.get("theme")).toBe("light");
    expect(settings.get("mouse")).toBe(undefined);
    expect(settings.faults).toHaveLength(1);
    expect(settings.faults[0]).toContain("mouse");
    await settings.set("theme", "dark");
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual({ theme: "dark", mouse: "often", future: { a: 1 } });
  });

  test("a file that cannot be read is not overwritten", async () => {
    await using home = await tempDir();
    const path = join(home.path, "config.json");
    await writeFile(path, "{");
    const settings = new Settings(home.path);
    expect(settings.faults).toHaveLength(1);
    expect(settings.set("theme", "dark")).rejects.toThrow("cannot be read");
    expect(await readFile(path, "utf8")).toBe("{");
  });
});
