import { describe, expect, test } from "bun:test";
import { appendFile, rename, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../support/until.ts";
import { zotBinary, zotIsBuilt } from "../support/zot.ts";
import { ExtHome, manifest } from "./support/ext-home.ts";
import { RunningZot } from "./support/running-zot.ts";

/** A log of `name` with `text` in it; gives its path. */
async function log(home: ExtHome, name: string, text: string): Promise<string> {
  const path = join(home.logs, `ext-${name}.log`);
  await Bun.write(path, text);
  return path;
}

describe.skipIf(!zotIsBuilt)("zot ext logs", () => {
  test("prints the log as it is, however long", async () => {
    await using home = await ExtHome.create();
    const text = `[zot] starting foo\n\u001b[31mréd\u001b[0m\n${"0123456789abcdef\n".repeat(200_000)}end`;
    await log(home, "foo", text);
    const { code, stdout, stderr } = await home.ext("logs", "foo");
    expect([code, stderr, stdout.length]).toEqual([0, "", text.length]);
    expect(stdout === text).toBe(true);
  });

  test("shows no escape sequences on a terminal", async () => {
    await using home = await ExtHome.create();
    await log(home, "foo", "a\u001b[2Jb\u009bc\u001b]0;title\u0007d\n");
    await using zot = RunningZot.onTerminal(home, "logs", "foo");
    expect(await zot.exited).toBe(0);
    await zot.shows("ab");
    expect(["\u001b", "\u009b"].filter((control) => zot.text.includes(control))).toEqual([]);
  });

  test("says where it looked when there is none, and what else there is", async () => {
    await using home = await ExtHome.create();
    const { code, stderr } = await home.ext("logs", "nope");
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`no log for "nope" at ${join(home.logs, "ext-nope.log")}`),
    ]);
    await log(home, "weather", "x");
    expect((await home.ext("logs", "wether")).stderr).toContain("did you mean weather?");
    await home.folder("zot/extensions/fresh", { "extension.json": manifest({ name: "fresh" }) });
    expect((await home.ext("logs", "fresh")).stderr).toContain("once it has been started");
  });

  test("finds the log by the directory name too", async () => {
    await using home = await ExtHome.create();
    await home.folder("zot/extensions/todo", { "extension.json": manifest({ name: "todo-panel" }) });
    await log(home, "todo-panel", "here\n");
    expect((await home.ext("logs", "todo")).stdout).toBe("here\n");
  });

  test("follows no link and reads no pipe", async () => {
    await using home = await ExtHome.create();
    await log(home, "other", "SECRET");
    await symlink(join(home.logs, "ext-other.log"), join(home.logs, "ext-foo.log"));
    const linked = await home.ext("logs", "foo");
    expect([linked.code, linked.stdout]).toEqual([1, ""]);
    expect(linked.stderr).toContain("a link");

    expect(Bun.spawnSync(["mkfifo", join(home.logs, "ext-pipe.log")]).exitCode).toBe(0);
    const piped = await home.ext("logs", "pipe");
    expect([piped.code, piped.stderr]).toEqual([1, expect.stringContaining("it is not a file")]);
  });

  test("-f goes on through growth, emptying and rotation until Ctrl+C", async () => {
    await using home = await ExtHome.create();
    const path = await log(home, "foo", "one\n");
    await using zot = RunningZot.piped(home, "logs", "foo", "-f");
    await zot.shows("one\n");
    await appendFile(path, "two\n");
    await zot.shows("two\n");
    await truncate(path, 0);
    await appendFile(path, "3\n");
    await zot.shows("3\n");
    await rename(path, `${path}.1`);
    await appendFile(`${path}.1`, "late\n");
    await log(home, "foo", "four\n");
    await zot.shows("four\n");
    zot.signal("SIGINT");
    expect(await zot.exited).toBe(130);
    expect(zot.text).toBe("one\ntwo\n3\nlate\nfour\n");
  });

  test("ends quietly when its reader goes away", async () => {
    await using home = await ExtHome.create();
    const path = await log(home, "foo", "line\n".repeat(100_000));
    const status = join(home.path, "status");
    const shell = Bun.spawn(["sh", "-c", '{ "$0" ext logs foo -f; echo $? > "$1"; } | head -n 1', zotBinary, status], {
      cwd: home.project,
      env: { PATH: process.env["PATH"] ?? "", HOME: home.path, ZOT_HOME: join(home.path, "zot") },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([
      new Response(shell.stdout).text(),
      new Response(shell.stderr).text(),
      shell.exited,
    ]);
    expect([stdout, stderr]).toEqual(["line\n", ""]);
    const code = await until("the status is there", async () => {
      await appendFile(path, "more\n");
      return (await Bun.file(status).exists()) && (await Bun.file(status).text()).trim();
    });
    expect(code).toBe("0");
  });
});
