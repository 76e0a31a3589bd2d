import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { stat, symlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../support/until.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { commitAll, ExtHome, git, manifest, PROGRAM } from "./support/ext-home.ts";
import { RunningZot } from "./support/running-zot.ts";

const FILES = { "extension.json": manifest({ name: "foo" }), run: PROGRAM };

describe.skipIf(!zotIsBuilt || Bun.which("git") === null)("zot ext install of a repository", () => {
  test("clones a URL, keeps x bits, and leaves .git and the links that leave behind", async () => {
    await using home = await ExtHome.create();
    const repository = await home.folder("repository", { ...FILES, ".gitignore": "*.log", "forced.log": "x" });
    await symlink("/etc", join(repository, "etc"));
    await commitAll(repository);
    await git(repository, "add", "--force", "forced.log");
    await git(repository, "commit", "--quiet", "--message", "more");

    const { code, stderr } = await home.ext("install", `file://${repository}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining("not installed: etc is a link that leads outside")]);
    const copy = join(home.extensions, "foo");
    expect((await stat(join(copy, "run"))).mode & 0o111).not.toBe(0);
    expect([".git", "etc", "forced.log"].map((name) => existsSync(join(copy, name)))).toEqual([false, false, true]);
    expect(await home.installed()).toEqual(["foo"]);
  });

  test("prefers an existing folder whose name ends in .git, and tells how to install a bare one", async () => {
    await using home = await ExtHome.create();
    await home.folder("project/ext.git", FILES);
    expect((await home.ext("install", "ext.git")).code).toBe(0);
    expect(await home.installed()).toEqual(["foo"]);

    const bare = join(home.path, "bare.git");
    await git(home.path, "init", "--quiet", "--bare", bare);
    expect((await home.ext("install", bare)).stderr).toContain(`zot ext install file://${bare}`);
  });

  test("brings submodules along", async () => {
    await using home = await ExtHome.create();
    const inner = await home.folder("inner", { program: PROGRAM });
    await commitAll(inner);
    const outer = await home.folder("outer", { "extension.json": manifest({ name: "foo", exec: "./lib/program" }) });
    await commitAll(outer);
    await git(outer, "submodule", "--quiet", "add", `file://${inner}`, "lib");
    await git(outer, "commit", "--quiet", "--message", "submodule");

    // Git refuses local submodules unless its user allows them; the error is git's own, and nothing stays.
    const refused = await home.ext("install", `file://${outer}`);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("'file' not allowed")]);
    expect(refused.stderr).not.toContain(".zot-extension-install-");
    expect(await home.installed()).toEqual([]);

    await Bun.write(join(home.path, "home", ".gitconfig"), '[protocol "file"]\n\tallow = always\n');
    expect((await home.ext("install", `file://${outer}`)).code).toBe(0);
    expect(await Bun.file(join(home.extensions, "foo", "lib", "program")).text()).toBe(PROGRAM);
  });

  test("says what is wrong with a repository, without staging paths or passwords, and leaves nothing", async () => {
    await using home = await ExtHome.create();
    const none = await home.folder("none", { "a.txt": "x" });
    const nested = await home.folder("nested", { "sub/extension.json": manifest({ name: "foo" }) });
    const empty = await home.folder("empty", {});
    for (const dir of [none, nested]) await commitAll(dir);
    await git(empty, "init", "--quiet");
    const cases: [string, string][] = [
      [`file://${none}`, `no extension.json in file://${none}`],
      [`file://${nested}`, "found sub/extension.json"],
      [`file://${empty}`, "no files on its default branch"],
      [`file://${home.path}/nowhere.git`, "cannot clone file://"],
      ["http://me:hunter2@127.0.0.1:1/x.git", "cannot clone http://***@127.0.0.1:1/x.git"],
    ];
    for (const [url, text] of cases) {
      const { code, stderr } = await home.ext("install", url);
      expect([code, stderr]).toEqual([1, expect.stringContaining(text)]);
      expect(stderr).not.toMatch(/\.zot-extension-install-|hunter2/);
      expect(await home.installed()).toEqual([]);
    }
  });

  test("never takes a word for an option of git", async () => {
    await using home = await ExtHome.create();
    const mark = join(home.path, "it-ran");
    const { code } = await home.ext("install", "--", `--upload-pack=touch ${mark};.git`);
    expect(code).toBe(1);
    expect(existsSync(mark)).toBe(false);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s during a clone ends git and leaves nothing behind", async (signal, status) => {
    await using home = await ExtHome.create();
    const connections = new Set<unknown>();
    // A server that takes the connection and never answers.
    using server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (socket) => void connections.add(socket),
        close: (socket) => void connections.delete(socket),
        data: () => undefined,
      },
    });
    await using zot = RunningZot.piped(home, "install", `http://127.0.0.1:${server.port}/x.git`);
    await until("git connects", () => connections.size === 1);
    expect(await home.installed()).toEqual([expect.stringMatching(/^\.zot-extension-install-/)]);

    zot.signal(signal);
    expect(await zot.exited).toBe(status);
    await until("git is gone", () => connections.size === 0);
    expect(zot.text).toContain("nothing was installed");
    expect(await home.installed()).toEqual([]);
  });

  test("sweeps what a killed installation left a day ago, not a recent one", async () => {
    await using home = await ExtHome.create();
    const stale = await home.folder("zot/extensions/.zot-extension-install-stale", { "clone/x": "" });
    await home.folder("zot/extensions/.zot-extension-install-recent", { "clone/x": "" });
    const longAgo = new Date(Date.now() - 25 * 60 * 60_000);
    await utimes(stale, longAgo, longAgo);
    await home.ext("install", await home.folder("src", FILES));
    expect(await home.installed()).toEqual([".zot-extension-install-recent", "foo"]);
  });
});
