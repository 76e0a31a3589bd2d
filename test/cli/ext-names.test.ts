import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, lstat, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { ExtHome, manifest, PROGRAM } from "./support/ext-home.ts";
import { RunningZot } from "./support/running-zot.ts";

/** Puts an extension into a root; `name` is that of its manifest. */
async function put(home: ExtHome, root: string, directory: string, name: string, fields = {}): Promise<string> {
  const below = root.slice(home.path.length + 1);
  return home.folder(join(below, directory), { "extension.json": manifest({ name, ...fields }), run: PROGRAM });
}

describe.skipIf(!zotIsBuilt)("zot ext enable and disable", () => {
  test("change one key: order, unknown keys, digits and mode stay", async () => {
    await using home = await ExtHome.create();
    const dir = await put(home, home.extensions, "foo", "foo");
    const file = join(dir, "extension.json");
    await writeFile(
      file,
      '\uFEFF{"x-own":{"b":[1,{}],"a":1.0},"name":"foo","id":12345678901234567890,\t"exec":"./run"}',
    );
    await chmod(file, 0o640);

    const { code, stdout } = await home.ext("disable", "foo");
    expect([code, stdout]).toEqual([0, expect.stringContaining("disabled")]);
    expect(await readFile(file, "utf8")).toBe(
      [
        "{",
        '  "x-own": {\n    "b": [\n      1,\n      {}\n    ],\n    "a": 1.0\n  },',
        '  "name": "foo",',
        '  "id": 12345678901234567890,',
        '  "exec": "./run",',
        '  "enabled": false',
        "}\n",
      ].join("\n"),
    );
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect((await home.ext("list")).stdout).toMatch(/^global +foo +no +.*foo \(disabled in its extension\.json\)$/m);

    expect((await home.ext("enable", "foo")).code).toBe(0);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ enabled: true });
  });

  test("do not touch a manifest that says so already, or that cannot be read", async () => {
    await using home = await ExtHome.create();
    const dir = await put(home, home.extensions, "foo", "foo");
    const file = join(dir, "extension.json");
    for (const text of ['{"name":"foo","exec":"./run","enabled":null}', '{"name":"foo","exec":"./run",}', "", "[]"]) {
      await writeFile(file, text);
      const { code, stderr } = await home.ext("enable", "foo");
      expect(code).toBe(text.includes("null") ? 0 : 1);
      if (code === 1) expect(stderr).toContain(`${dir}: `);
      expect(await readFile(file, "utf8")).toBe(text);
    }
  });

  test("set the spelling that the host reads", async () => {
    await using home = await ExtHome.create();
    const dir = await put(home, home.extensions, "foo", "foo", { Enabled: true });
    await home.ext("disable", "foo");
    const fields = JSON.parse(await readFile(join(dir, "extension.json"), "utf8"));
    expect(fields).toMatchObject({ Enabled: false });
    expect(fields).not.toHaveProperty("enabled");
    expect((await home.ext("list")).stdout).toContain("disabled");
  });

  test("find by directory name before manifest name, in the project before the home", async () => {
    await using home = await ExtHome.create();
    const byDirectory = await put(home, home.extensions, "todo", "todo-panel");
    const byName = await put(home, home.projectExtensions, "other", "todo");
    const both = [
      await put(home, home.projectExtensions, "twin", "twin"),
      await put(home, home.extensions, "twin", "twin"),
    ];
    const isDisabled = async (dir: string): Promise<boolean> =>
      (await readFile(join(dir, "extension.json"), "utf8")).includes('"enabled": false');

    await home.ext("disable", "todo");
    expect([await isDisabled(byDirectory), await isDisabled(byName)]).toEqual([true, false]);
    await home.ext("enable", "todo-panel");
    expect(await isDisabled(byDirectory)).toBe(false);

    const { stderr } = await home.ext("disable", "twin");
    expect(await Promise.all(both.map(isDisabled))).toEqual([true, false]);
    expect(stderr).toContain(`${both[1]} stays unused`);
  });

  test("name near ones when there is no such extension", async () => {
    await using home = await ExtHome.create();
    await put(home, home.extensions, "weather", "weather");
    for (const command of ["enable", "disable", "remove"]) {
      const { code, stderr } = await home.ext(command, "wether");
      expect([code, stderr]).toEqual([1, expect.stringContaining("did you mean weather?")]);
    }
  });
});

describe.skipIf(!zotIsBuilt)("zot ext list", () => {
  test("tells which copy is used and why", async () => {
    await using home = await ExtHome.create();
    const project = await put(home, home.projectExtensions, "a", "a");
    const hidden = await put(home, home.extensions, "a", "a");
    const renamed = await put(home, home.extensions, "b", "a");
    const off = await put(home, home.projectExtensions, "c", "c", { enabled: false });
    const behind = await put(home, home.extensions, "c", "c");
    const { stdout } = await home.ext("list");
    expect(stdout).toContain(`${project} (used; comes before ${hidden}, ${renamed})\n`);
    expect(stdout).toContain(`${hidden} (not used: the project's ${project} hides it)\n`);
    expect(stdout).toContain(`${renamed} (not used: ${project} comes first and has the same name)\n`);
    expect(stdout).toContain(`${off} (disabled in its extension.json)\n`);
    expect(stdout).toContain(`${behind} (not used: the project's ${off} hides it, although it does not load itself)\n`);
  });

  test("keeps what a manifest says on its line, without escape sequences", async () => {
    await using home = await ExtHome.create();
    await put(home, home.extensions, "a", "a", { version: "1\n\u001b[2Jx", language: "\u001b]0;title\u0007c" });
    const { stdout } = await home.ext("list");
    expect(stdout.trim().split("\n")).toHaveLength(2);
    expect(stdout).not.toContain("\u001b");
  });
});

describe.skipIf(!zotIsBuilt)("zot ext remove", () => {
  test("refuses without a terminal and without --yes", async () => {
    await using home = await ExtHome.create();
    const dir = await put(home, home.extensions, "foo", "foo");
    const { code, stderr } = await home.ext("remove", "foo");
    expect([code, stderr]).toEqual([2, expect.stringContaining("zot ext remove foo --yes")]);
    expect(existsSync(dir)).toBe(true);

    expect((await home.ext("rm", "foo", "-y")).code).toBe(0);
    expect(await home.installed()).toEqual([]);
  });

  test.each([
    ["y\r", 0, false],
    ["n\r", 1, true],
    ["\r", 1, true],
    ["\u0004", 1, true],
  ])("asks on a terminal: %j gives status %d", async (keys, status, stays) => {
    await using home = await ExtHome.create();
    const dir = await put(home, home.extensions, "foo", "foo");
    await using zot = RunningZot.onTerminal(home, "remove", "foo");
    await zot.shows(`remove ${dir} ? [y/N]`);
    zot.type(keys);
    expect(await zot.exited).toBe(status);
    expect(existsSync(dir)).toBe(stays);
  });

  test("removes nothing when it is interrupted at the question", async () => {
    await using home = await ExtHome.create();
    const dir = await put(home, home.extensions, "foo", "foo");
    await using zot = RunningZot.onTerminal(home, "remove", "foo");
    await zot.shows("[y/N]");
    zot.signal("SIGINT");
    expect(await zot.exited).toBe(130);
    expect(existsSync(dir)).toBe(true);
  });

  test("of a linked extension removes the link alone, also when it leads nowhere", async () => {
    await using home = await ExtHome.create();
    const work = await home.folder("work", { "extension.json": manifest({ name: "linked" }), run: PROGRAM });
    await put(home, home.extensions, "foo", "foo");
    await symlink(work, join(home.extensions, "linked"));
    await symlink("nowhere", join(home.extensions, "dangling"));

    expect((await home.ext("remove", "linked", "-y")).code).toBe(0);
    expect((await home.ext("remove", "dangling", "-y")).code).toBe(0);
    expect(await home.installed()).toEqual(["foo"]);
    expect(existsSync(join(work, "run"))).toBe(true);
  });

  test("removes a broken extension, and only by a name that is there", async () => {
    await using home = await ExtHome.create();
    await home.folder("zot/extensions/broken", { "extension.json": "{" });
    await home.folder("zot/extensions/empty", {});
    expect((await home.ext("remove", "broken", "-y")).code).toBe(0);
    expect((await home.ext("remove", "empty", "-y")).code).toBe(0);
    expect((await home.ext("remove", "broken", "-y")).code).toBe(1);
  });
});

describe.skipIf(!zotIsBuilt)("names", () => {
  test.each(["remove", "enable", "disable", "logs"])("%s takes no paths", async (command) => {
    await using home = await ExtHome.create();
    await put(home, home.extensions, "okay", "okay");
    const victim = await home.folder("zot/victim", { "extension.json": manifest({ name: "victim" }), keep: "x" });
    await Bun.write(join(home.path, "zot", "secret.log"), "SECRET");
    const before = await readFile(join(victim, "extension.json"), "utf8");
    for (const name of [
      "",
      ".",
      "..",
      "../victim",
      victim,
      "okay/..",
      "./okay",
      "a\\..\\victim",
      "../secret",
      ".okay",
    ]) {
      const extra = command === "remove" ? ["--yes"] : [];
      const { code, stdout, stderr } = await home.ext(command, name, ...extra);
      expect([name, code, stdout]).toEqual([name, 2, ""]);
      expect(stderr).toContain("is no extension name");
    }
    for (const words of [[], ["okay", "okay"]]) expect((await home.ext(command, ...words)).code).toBe(2);
    expect(await readFile(join(victim, "extension.json"), "utf8")).toBe(before);
    expect((await lstat(join(victim, "keep"))).isFile()).toBe(true);
    expect(await home.installed()).toEqual(["okay"]);
  });

  test.each(["install", "remove", "rm", "enable", "disable", "logs", "list"])(
    "%s has help with an example",
    async (command) => {
      await using home = await ExtHome.create();
      const { code, stdout } = await home.ext(command, "--help");
      expect(code).toBe(0);
      expect(stdout).toMatch(/EXAMPLE\n\n {2}zot ext \w+/);
    },
  );
});
