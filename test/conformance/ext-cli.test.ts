import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ExtHome, type Files, manifest, PROGRAM } from "../cli/support/ext-home.ts";
import { HostWorld } from "../support/host.ts";
import { runZot, zotIsBuilt } from "../support/zot.ts";

// extension-host.md §10, Modes and CLI, 120 to 125: zot ext. Driven through the built zot.

setDefaultTimeout(30_000);

const FOO: Files = { "extension.json": manifest({ name: "foo" }), run: PROGRAM };

describe.skipIf(!zotIsBuilt)("zot ext", () => {
  test("120 install of a folder without a manifest is an error and leaves nothing behind", async () => {
    await using home = await ExtHome.create();
    await mkdir(home.extensions, { recursive: true });
    const dir = await home.folder("bare", { "index.ts": "" });
    const { code, stdout, stderr } = await home.ext("install", dir);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`no extension.json in ${dir}`);
    expect(await home.installed()).toEqual([]);
  });

  test("121 install puts a folder under the name in its manifest, and refuses a second time", async () => {
    await using home = await ExtHome.create();
    await home.folder("project/my-dir", FOO);
    expect(await home.ext("install", "./my-dir")).toMatchObject({ code: 0 });
    expect(await home.installed()).toEqual(["foo"]);
    expect(await readFile(join(home.extensions, "foo", "run"), "utf8")).toBe(PROGRAM);

    const again = await home.ext("install", "./my-dir");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain(`destination ${join(home.extensions, "foo")} already exists`);
    expect(await home.installed()).toEqual(["foo"]);
  });

  test("122 disable keeps unknown keys, list shows it, and the next start does not spawn it", async () => {
    await using world = await HostWorld.create();
    const fields = { "x-own": { digits: 1, list: [null] }, author: "me" };
    const dir = world.python("foo", "hello()\nready()\nidle()", fields);
    const options = { cwd: world.cwd, env: { ZOT_HOME: world.home } };
    const say = () => runZot(["-p", "--provider", "offline", "say hi"], options);
    expect(await say()).toEqual({ code: 0, stdout: "hi\n", stderr: "" });
    const starts = world.framesOf("foo", "hello_ack").length;
    expect(starts).toBe(1);

    expect(await runZot(["ext", "disable", "foo"], options)).toMatchObject({ code: 0 });
    const kept = JSON.parse(await readFile(join(dir, "extension.json"), "utf8"));
    expect(kept).toEqual({ name: "foo", exec: "python3", args: ["main.py"], ...fields, enabled: false });
    const { stdout } = await runZot(["ext", "list"], options);
    const [, row = ""] = stdout.split("\n");
    expect(row.split(/\s+/).slice(0, 3)).toEqual(["global", "foo", "no"]);
    expect(await say()).toEqual({ code: 0, stdout: "hi\n", stderr: "" });
    expect(world.framesOf("foo", "hello_ack")).toHaveLength(starts);
  });

  test("123 remove without a terminal and without --yes is refused", async () => {
    await using home = await ExtHome.create();
    const dir = await home.folder("zot/extensions/foo", FOO);
    const { code, stdout, stderr } = await home.ext("remove", "foo");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`there is no terminal to ask on; zot ext remove foo --yes removes ${dir}`);
    expect(await home.installed()).toEqual(["foo"]);
    expect(await home.ext("remove", "foo", "--yes")).toMatchObject({ code: 0 });
    expect(await home.installed()).toEqual([]);
  });

  test("124 logs of an extension that has none says where it looked", async () => {
    await using home = await ExtHome.create();
    const { code, stdout, stderr } = await home.ext("logs", "nope");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`no log for "nope" at ${join(home.logs, "ext-nope.log")}`);
  });

  test("125 doctor tells broken, conflicting and silent extensions apart, names their logs, and ends with 0", async () => {
    await using world = await HostWorld.create();
    const broken = world.files("broken", { "extension.json": "{" });
    const first = world.python("first", 'hello()\ncommand("x")\nready()\nidle()');
    const second = world.python("second", 'hello()\ncommand("X")\nready()\nidle()');
    const silent = world.shell("silent", `echo '{"type":"hello","name":"silent"}'; cat > /dev/null`);
    const failing = world.shell("failing", "exit 3");
    const { code, stdout, stderr } = await runZot(["ext", "doctor"], { cwd: world.cwd, env: { ZOT_HOME: world.home } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const log = (name: string): string => join(world.home, "logs", `ext-${name}.log`);
    const part = (name: string): string => stdout.split(/\n(?=\S)/).find((text) => text.startsWith(`${name} `)) ?? "";

    expect(part("broken")).toStartWith(`broken [global] error (${broken})\n  error: parse manifest: `);
    expect(part("first")).toStartWith(`first [global] ok (${first})\n`);
    expect(part("first")).toContain("\n  commands:\n    /x (active)");
    expect(part("second")).toStartWith(`second [global] warning (${second})\n`);
    expect(part("second")).toContain("\n  commands:\n    /X (shadowed)");
    expect(part("second")).toContain(
      "\n  warning: command /X conflicts with another extension registering the same name",
    );
    expect(part("silent")).toStartWith(`silent [global] auto-ready (${silent})\n`);
    expect(part("silent")).toContain("\n  warning: no ready frame; auto-ready after idle");
    expect(part("failing")).toStartWith(`failing [global] not loaded (${failing})\n`);
    for (const name of ["first", "second", "silent", "failing"]) {
      expect(part(name)).toContain(`\n  log: ${log(name)}`);
      expect(existsSync(log(name))).toBe(true);
    }
    const errors = stdout.slice(stdout.indexOf("\nload errors:\n"));
    expect(errors).toContain(`\n  ! ${broken}: parse manifest: `);
    expect(errors).toContain(
      `\n  ! ${failing}: extension exited before hello: exit status 3 (stderr log: ${log("failing")})`,
    );
  });
});
