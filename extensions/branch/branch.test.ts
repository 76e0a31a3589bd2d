import { describe, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { driveExtension } from "../../test/support/extension-driver.ts";
import { tempDir } from "../../test/support/temp-dir.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

const gitEnv = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", GIT_DIR: undefined };

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"];
  const child = Bun.spawn(["git", ...identity, ...args], { cwd, env: gitEnv, stdout: "ignore", stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
}

/** A repository with one commit, one staged, one changed and two untracked files. */
async function repository(path: string): Promise<void> {
  await mkdir(path, { recursive: true });
  await git(path, "init", "--quiet", "--initial-branch=trunk");
  await Bun.write(join(path, "a"), "1");
  await git(path, "add", ".");
  await git(path, "commit", "--quiet", "-m", "one");
  await Bun.write(join(path, "a"), "2");
  await Bun.write(join(path, "b"), "1");
  await git(path, "add", "b");
  await Bun.write(join(path, "c"), "1");
  await Bun.write(join(path, "d"), "1");
}

const summary = "on trunk\n1 staged, 1 changed, 2 untracked";
const missing = process.platform === "win32" || Bun.which("git") === null;

describe.skipIf(missing)("branch", () => {
  test.each(["plain", 'a "quoted" b', "back\\slash", "back\\\\next", "ümlaut 🎉", "$HOME`x`"])(
    "reads the repository in a folder named %s",
    async (name) => {
      await using dir = await tempDir();
      const path = join(dir.path, name);
      await repository(path);
      await using ext = driveExtension(import.meta.dir, { env: gitEnv });
      await ext.greet({ cwd: path, extension_dir: "/somewhere/else" });
      expect((await ext.command("branch"))["display"]).toBe(summary);
      expect((await ext.tool("branch", {}))["content"]).toEqual([{ type: "text", text: summary }]);
      expect(await ext.shutdown()).toBe(0);
    },
  );

  test("says how far the upstream is", async () => {
    await using dir = await tempDir();
    const [origin, clone] = [join(dir.path, "origin"), join(dir.path, "clone")];
    await repository(origin);
    await git(dir.path, "clone", "--quiet", origin, clone);
    await git(clone, "commit", "--quiet", "--allow-empty", "-m", "two");
    await using ext = driveExtension(import.meta.dir, { env: gitEnv });
    await ext.greet({ cwd: clone });
    expect((await ext.command("branch"))["display"]).toStartWith("on trunk, 1 ahead of and 0 behind origin/trunk\n");
  });

  test("outside a repository both answers are errors, in the words of git", async () => {
    await using dir = await tempDir();
    const env = { ...gitEnv, GIT_CEILING_DIRECTORIES: dir.path };
    await using ext = driveExtension(import.meta.dir, { env });
    await ext.greet({ cwd: dir.path });
    expect((await ext.command("branch"))["error"]).toContain("not a git repository");
    expect((await ext.tool("branch", {}))["is_error"]).toBe(true);
  });

  test("a project path that it cannot read ends it with the reason in the log", async () => {
    await using ext = driveExtension(import.meta.dir);
    await ext.next({ type: "hello" });
    ext.send({ type: "hello_ack", cwd: "/line\nbreak" });
    expect(await ext.exited).toBe(1);
    expect(ext.stderr).toContain("cannot read cwd");
  });

  test.skipIf(!zotIsBuilt)("/branch prints the summary of the project", async () => {
    await using dir = await tempDir();
    await repository(dir.path);
    const result = await runZot(["-p", "--provider", "offline", "--ext", import.meta.dir, "/branch"], {
      cwd: dir.path,
    });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout.trim()).toBe(summary);
  });
});
