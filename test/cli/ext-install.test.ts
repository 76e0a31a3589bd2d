import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readFile, readlink, realpath, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { commitAll, ExtHome, type Files, git, manifest, PROGRAM } from "./support/ext-home.ts";

const SIMPLE: Files = { "extension.json": manifest({ name: "foo" }), run: PROGRAM };

describe.skipIf(!zotIsBuilt)("zot ext install of a folder", () => {
  test("installs under the name in the manifest and refuses a second time", async () => {
    await using home = await ExtHome.create();
    await home.folder("project/my-dir", SIMPLE);

    const first = await home.ext("install", "./my-dir");
    expect(first.code).toBe(0);
    expect(first.stdout).toContain(join(home.extensions, "foo"));
    expect(await home.installed()).toEqual(["foo"]);

    const second = await home.ext("install", "./my-dir");
    expect(second.code).toBe(1);
    expect(second.stderr).toContain(`destination ${join(home.extensions, "foo")} already exists; remove it first`);
    expect(await home.installed()).toEqual(["foo"]);
  });

  test("takes '.' as well, and keeps modes, empty files and directories", async () => {
    await using home = await ExtHome.create();
    const dir = await home.folder("src", { ...SIMPLE, "data/empty": "", "data/secret": "s" });
    await chmod(join(dir, "data", "secret"), 0o400);
    await mkdir(join(dir, "nothing"));

    expect((await home.extWith({ cwd: dir }, "install", ".")).code).toBe(0);
    const copy = join(home.extensions, "foo");
    expect((await stat(join(copy, "run"))).mode & 0o777).toBe(0o755);
    expect((await stat(join(copy, "data", "secret"))).mode & 0o777).toBe(0o400);
    expect((await stat(join(copy, "data", "empty"))).size).toBe(0);
    expect((await stat(join(copy, "nothing"))).isDirectory()).toBe(true);
  });

  test("lets one of several at once win", async () => {
    await using home = await ExtHome.create();
    const dir = await home.folder("src", SIMPLE);
    const results = await Promise.all(Array.from({ length: 4 }, () => home.ext("install", dir)));
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1, 1, 1]);
    const refused = results.filter(({ code }) => code === 1);
    expect(refused.every(({ stderr }) => stderr.includes("already exists; remove it first"))).toBe(true);
    expect(await home.installed()).toEqual(["foo"]);
  });

  test("--force replaces the whole tree, a link only as a link", async () => {
    await using home = await ExtHome.create();
    const old = await home.folder("old", { ...SIMPLE, "old-file": "x" });
    const fresh = await home.folder("fresh", { ...SIMPLE, "new-file": "x" });
    await home.ext("install", old);

    expect((await home.ext("install", fresh, "--force")).code).toBe(0);
    const copy = join(home.extensions, "foo");
    expect([existsSync(join(copy, "old-file")), existsSync(join(copy, "new-file"))]).toEqual([false, true]);

    await home.ext("remove", "foo", "--yes");
    await symlink(old, copy);
    expect((await home.ext("install", fresh)).stderr).toContain("already exists");
    expect((await home.ext("install", fresh, "--force")).code).toBe(0);
    expect((await lstat(copy)).isSymbolicLink()).toBe(false);
    expect(existsSync(join(old, "old-file"))).toBe(true);
    expect(await home.installed()).toEqual(["foo"]);
  });

  test("keeps links that stay inside, pointing into the copy, and names those that leave", async () => {
    await using home = await ExtHome.create();
    const dir = await home.folder("src", { ...SIMPLE, "sub/file": "inside" });
    await Bun.write(join(home.path, "private.key"), "PRIVATE");
    const links = {
      alias: "run",
      absolute: join(dir, "sub", "file"),
      around: "../src/sub/file",
      "sub/up": "..",
      loop: ".",
      key: join(home.path, "private.key"),
      "sub/key": "../../private.key",
      parent: "..",
      dangling: "nowhere",
      self: "self",
    };
    for (const [name, target] of Object.entries(links)) await symlink(target, join(dir, name));
    expect(Bun.spawnSync(["mkfifo", join(dir, "pipe")]).exitCode).toBe(0);

    const { code, stderr } = await home.ext("install", dir);
    expect(code).toBe(0);
    const copy = join(home.extensions, "foo");
    const real = await realpath(copy);
    expect(await readlink(join(copy, "alias"))).toBe("run");
    for (const name of ["absolute", "around"]) {
      expect(await realpath(join(copy, name))).toBe(join(real, "sub", "file"));
      expect(await readlink(join(copy, name))).toBe("sub/file");
    }
    expect(await realpath(join(copy, "sub", "up"))).toBe(real);
    expect(await realpath(join(copy, "loop"))).toBe(real);
    for (const name of ["key", "sub/key", "parent", "dangling", "self", "pipe"]) {
      expect(lstat(join(copy, name))).rejects.toThrow();
      expect(stderr).toContain(`not installed: ${name} is `);
    }
  });

  test("leaves .git behind, and what git ignores unless the manifest needs it", async () => {
    await using home = await ExtHome.create();
    const dir = await home.folder("src", {
      "extension.json": manifest({ name: "foo", exec: "./build/run", args: ["data.bin"], skills: ["skills"] }),
      ".gitignore": "build/\nnode_modules/\n*.bin\n*.log\nskills\n!keep.log\n",
      "build/run": PROGRAM,
      "build/library": "needed too",
      "node_modules/left/index.js": "",
      "data.bin": "",
      "other.bin": "",
      "notes.log": "",
      "keep.log": "",
      "tracked.log": "",
      "skills/s/SKILL.md": "",
    });
    await git(dir, "init", "--quiet");
    await git(dir, "add", "--force", "tracked.log");

    const { code, stderr } = await home.ext("install", dir);
    expect(code).toBe(0);
    const copy = join(home.extensions, "foo");
    const kept = [
      "build/run",
      "build/library",
      "data.bin",
      "keep.log",
      "tracked.log",
      "skills/s/SKILL.md",
      ".gitignore",
    ];
    expect(kept.filter((name) => !existsSync(join(copy, name)))).toEqual([]);
    const gone = [".git", "node_modules", "other.bin", "notes.log"];
    expect(gone.filter((name) => existsSync(join(copy, name)))).toEqual([]);
    expect(stderr).toContain("git ignores it: node_modules, notes.log, other.bin");
  });

  test("takes a folder that is ignored as a whole by the repository around it", async () => {
    await using home = await ExtHome.create();
    const repository = await home.folder("repository", { ".gitignore": "scratch/\n" });
    await git(repository, "init", "--quiet");
    const dir = await home.folder("repository/scratch/src", { ...SIMPLE, "more.txt": "x" });
    expect((await home.ext("install", dir)).code).toBe(0);
    expect(existsSync(join(home.extensions, "foo", "more.txt"))).toBe(true);
  });

  test("installs everything and says so when there is no git to ask", async () => {
    await using home = await ExtHome.create();
    const dir = await home.folder("src", { ...SIMPLE, ".gitignore": "*.tmp", "a.tmp": "" });
    const { code, stderr } = await home.extWith({ env: { PATH: "/nowhere" } }, "install", dir);
    expect([code, stderr]).toEqual([0, expect.stringContaining("git is not in PATH")]);
    expect(existsSync(join(home.extensions, "foo", "a.tmp"))).toBe(true);
    const url = await home.extWith({ env: { PATH: "/nowhere" } }, "install", "https://127.0.0.1/x.git");
    expect([url.code, url.stderr]).toEqual([1, expect.stringContaining("git is not in PATH; install git")]);
  });

  test("honours .gitignore without a repository, and without its settings in one", async () => {
    await using home = await ExtHome.create();
    const plain = await home.folder("plain", { ...SIMPLE, ".gitignore": "*.tmp", "a.tmp": "", "a.txt": "" });
    expect((await home.ext("install", plain)).code).toBe(0);
    expect(existsSync(join(home.extensions, "foo", "a.tmp"))).toBe(false);
    expect(existsSync(join(home.extensions, "foo", "a.txt"))).toBe(true);

    const mark = join(home.path, "it-ran");
    const hostile = await home.folder("hostile", {
      "extension.json": manifest({ name: "hostile" }),
      run: `#!/bin/sh\ntouch ${mark}\n`,
    });
    await chmod(join(hostile, "run"), 0o755);
    await commitAll(hostile);
    await git(hostile, "config", "core.fsmonitor", join(hostile, "run"));
    expect((await home.ext("install", hostile)).code).toBe(0);
    expect(existsSync(mark)).toBe(false);
  });

  test.each([
    ["theme", { "extension.json": '{"name":"foo"}', "theme.json": "{}" }],
    ["skills", { "extension.json": '{"name":"foo","skills":["s"]}', "s/SKILL.md": "x" }],
    ["source file", { "extension.json": manifest({ name: "foo", exec: "./index.ts" }), "index.ts": "" }],
    [
      "bare program",
      {
        "extension.json": manifest({ name: "foo", exec: "sh", args: ["x.sh", "x".repeat(5_000), "x.sh/y"] }),
        "x.sh": "",
      },
    ],
  ])("installs a %s extension", async (_, files: Files) => {
    await using home = await ExtHome.create();
    const { code, stderr } = await home.ext("install", await home.folder("src", files));
    expect([code, stderr]).toEqual([0, ""]);
    expect(await home.installed()).toEqual(["foo"]);
  });

  test("says what is still missing: a program, dependencies, being enabled, being first", async () => {
    await using home = await ExtHome.create();
    const dir = await home.folder("src", {
      "extension.json": manifest({ name: "foo", exec: "no-such-program-here", enabled: false }),
      "package.json": '{"dependencies":{"left":"1"}}',
    });
    const { code, stderr } = await home.ext("install", dir);
    expect(code).toBe(0);
    expect(stderr).toContain("no-such-program-here is not in PATH");
    expect(stderr).toContain(`run npm install or bun install in ${join(home.extensions, "foo")}`);
    expect(stderr).toContain("zot ext enable foo");

    await home.folder("project/.zot/extensions/bar", { "extension.json": manifest({ name: "bar" }), run: PROGRAM });
    const shadowed = await home.folder("bar", { "extension.json": manifest({ name: "bar" }), run: PROGRAM });
    const result = await home.ext("install", shadowed);
    expect(result.stderr).toContain(`it is not used here: ${join(home.projectExtensions, "bar")} comes first`);
  });
});

describe.skipIf(!zotIsBuilt)("zot ext install refuses, and leaves nothing behind,", () => {
  test.each<[string, Files, string]>([
    ["no manifest", { "a.txt": "" }, "no extension.json in "],
    ["a manifest one level below", { "sub/extension.json": manifest({ name: "foo" }) }, "found sub/extension.json"],
    ["broken JSON", { "extension.json": "{" }, "src: parse manifest: "],
    ["no name", { "extension.json": '{"exec":"./run"}', run: PROGRAM }, "manifest: name is required"],
    ["nothing to load", { "extension.json": '{"name":"foo"}' }, "manifest: exec, theme, or skills is required"],
    ["a name with a path", { "extension.json": manifest({ name: "../foo" }), run: PROGRAM }, "invalid name"],
    ["exec that is missing", { "extension.json": manifest({ name: "foo" }) }, "there is no such file"],
    ["exec that is a folder", { "extension.json": manifest({ name: "foo" }), "run/x": "" }, "is not a file"],
    ["exec without an x bit", { "extension.json": manifest({ name: "foo" }), run: "#!/bin/sh" }, "chmod +x run"],
    ["exec beside it", { "extension.json": manifest({ name: "foo", exec: "../other/run" }) }, "leads out of the"],
    ["an absolute exec", { "extension.json": manifest({ name: "foo", exec: "/bin/sh" }) }, "leads out of the"],
    [
      "a source file without an x bit for the system's interpreter",
      { "extension.json": manifest({ name: "foo", exec: "./x.js", runtime: "system" }), "x.js": "" },
      "is not executable",
    ],
  ])("%s", async (_, files, text) => {
    await using home = await ExtHome.create();
    const { code, stderr, stdout } = await home.ext("install", await home.folder("src", files));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(text);
    expect(stderr).not.toContain(".zot-extension-install-");
    expect(await home.installed()).toEqual([]);
  });

  test("exec that is a link to the outside, and a manifest that is one", async () => {
    await using home = await ExtHome.create();
    const outside = await home.folder("outside", { run: PROGRAM, "extension.json": manifest({ name: "foo" }) });
    const exec = await home.folder("exec", { "extension.json": manifest({ name: "foo" }) });
    await symlink(join(outside, "run"), join(exec, "run"));
    expect((await home.ext("install", exec)).stderr).toContain("run is a link that leads outside");
    const linked = await home.folder("linked", { run: PROGRAM });
    await symlink(join(outside, "extension.json"), join(linked, "extension.json"));
    expect((await home.ext("install", linked)).stderr).toContain("extension.json is a link that leads outside");
    expect(await home.installed()).toEqual([]);
  });

  test("what is no folder, and too few or too many words", async () => {
    await using home = await ExtHome.create();
    const dir = await home.folder("src", SIMPLE);
    const cases: [readonly string[], number, string][] = [
      [["nowhere"], 1, "no such folder"],
      [[join(dir, "extension.json")], 1, `install its folder: zot ext install ${dir}`],
      [[join(dir, "run")], 1, "is no folder"],
      [[], 2, "needs a folder or a git URL"],
      [[""], 2, "empty"],
      [[dir, dir], 2, "takes one folder"],
    ];
    for (const [words, code, text] of cases) {
      const result = await home.ext("install", ...words);
      expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(text)]);
    }
  });

  test("the extensions directory, a folder around it, and an installed extension as its own source", async () => {
    await using home = await ExtHome.create();
    await home.ext("install", await home.folder("src", SIMPLE));
    expect((await home.ext("install", home.extensions)).stderr).toContain("found foo/extension.json");
    const installed = join(home.extensions, "foo");
    expect((await home.ext("install", installed, "--force")).stderr).toContain("is the installed extension itself");
    await home.folder(".", { "extension.json": manifest({ name: "all" }), run: PROGRAM });
    expect((await home.ext("install", home.path)).stderr).toContain("where extensions are installed");
    expect(await home.installed()).toEqual(["foo"]);
    expect(await readFile(join(installed, "run"), "utf8")).toBe(PROGRAM);
  });
});
