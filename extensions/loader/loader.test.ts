import { describe, expect, test } from "bun:test";
import { chmod, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { driveExtension, type ExtensionDriver, type Frame } from "../../test/support/extension-driver.ts";
import { HostWorld } from "../../test/support/host.ts";
import { type TempDir, tempDir } from "../../test/support/temp-dir.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

const LIVE = new AbortController().signal;
const hasGit = Bun.which("git") !== null;

const textOf = (frame: Frame): string => String(Object([frame["content"]].flat()[0]).text);

async function started(project: string, dir = import.meta.dir): Promise<ExtensionDriver> {
  const ext = driveExtension(dir);
  await ext.greet({ cwd: project });
  return ext;
}

/** A copy of the loader with one more script in its drawer. */
async function withTool(name: string, script: string): Promise<TempDir> {
  const dir = await tempDir();
  await cp(import.meta.dir, dir.path, { recursive: true });
  await Bun.write(join(dir.path, "tools", name), script);
  await chmod(join(dir.path, "tools", name), 0o755);
  return dir;
}

async function git(cwd: string, ...args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"];
  const child = Bun.spawn(["git", ...identity, ...args], { cwd, stdout: "ignore", stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(await new Response(child.stderr).text());
}

describe("loader", () => {
  test("registers its scripts as deferred tools, and one tool that names them", async () => {
    await using ext = await started("/");
    const tools = ext.lines.map((line) => JSON.parse(line)).filter(({ type }) => type === "register_tool");
    expect(tools.map(({ name, deferred }) => [name, deferred ?? false])).toEqual([
      ["disk_usage", true],
      ["recent_commits", true],
      ["todo_comments", true],
      ["load_tools", false],
    ]);
    const loader = tools.at(-1);
    expect(loader.description).toContain(
      "\nrecent_commits: The newest commits of the project: hash, date, author, subject.",
    );
    expect(loader.schema.properties.tools.items.enum).toEqual(["disk_usage", "recent_commits", "todo_comments"]);
  });

  test("loads what is asked for, however the model spaces its arguments", async () => {
    await using ext = await started("/");
    ext.write(
      '{"type":"tool_call","id":"t1","name":"load_tools","args":{ "tools" : [ "disk_usage" , "todo_comments"] }}\n',
    );
    const result = await ext.next({ id: "t1" });
    expect(textOf(result)).toBe("available from now on: disk_usage todo_comments");
    expect(result).toMatchObject({ activate_tools: ["disk_usage", "todo_comments"] });
  });

  test.each([
    [{ tools: ["disk_usage", "gone"] }, "there is no tool gone to load; there are: disk_usage"],
    [{ tools: ["*"] }, "there is no tool * to load"],
    [{ tools: ['a\\b"c'] }, "there is no tool a"],
    [{ tools: [] }, "tools: expected a list of names"],
    [{ tools: "disk_usage" }, "tools: expected a list of names"],
    [{}, "tools: expected a list of names"],
  ])("%j loads nothing", async (args, text) => {
    await using ext = await started("/");
    const result = await ext.tool("load_tools", args);
    expect(result).toMatchObject({ is_error: true });
    expect(textOf(result)).toContain(text);
    expect(result).not.toHaveProperty("activate_tools");
  });

  test("a script runs in the project, with its arguments", async () => {
    await using project = await tempDir();
    const odd = 'ä "quoted" & co\\';
    await Bun.write(join(project.path, odd, "big.bin"), new Uint8Array(300_000));
    await Bun.write(join(project.path, "small.txt"), "x");
    await using ext = await started(project.path);
    const rows = textOf(await ext.tool("disk_usage", {})).split("\n");
    expect(rows).toHaveLength(2);
    expect(rows[0]).toEndWith(`KiB  ${odd}`);
    expect(textOf(await ext.tool("disk_usage", { path: odd }))).toEndWith("KiB  big.bin");
    expect(await ext.tool("disk_usage", { path: "gone" })).toMatchObject({ is_error: true });
    expect(textOf(await ext.tool("disk_usage", { path: "a\nb" }))).toContain("characters that this tool cannot read");
    expect(await ext.tool("nothing", {})).toMatchObject({ is_error: true });
  });

  test.skipIf(!hasGit)("the scripts about a repository find what is there", async () => {
    await using project = await tempDir();
    await Bun.write(join(project.path, "a.ts"), "// TODO: one\nconst todos = 1;\n// FIXME two\n");
    await using ext = await started(project.path);
    expect(textOf(await ext.tool("todo_comments", {}))).toContain("a.ts:1:// TODO: one");
    expect(await ext.tool("recent_commits", {})).toMatchObject({ is_error: true });
    await git(project.path, "init", "-q");
    await git(project.path, "add", ".");
    await git(project.path, "commit", "-q", "-m", 'first "commit"');
    await git(project.path, "commit", "-q", "--allow-empty", "-m", "second");
    expect(textOf(await ext.tool("recent_commits", { count: 1 }))).toMatch(/^[0-9a-f]+ \d{4}-\d\d-\d\d t: second$/);
    expect(textOf(await ext.tool("recent_commits", {}))).toContain('t: first "commit"');
    expect(textOf(await ext.tool("todo_comments", {}))).toBe("a.ts:1:// TODO: one\na.ts:3:// FIXME two");
    expect(textOf(await ext.tool("todo_comments", { limit: 1 }))).toBe("a.ts:1:// TODO: one");
    await Bun.write(join(project.path, "a.ts"), "done\n");
    expect(textOf(await ext.tool("todo_comments", {}))).toBe("nothing found");
  });

  test("your own script is a tool: it cannot take frames, and what it prints is bounded", async () => {
    const script = '#!/bin/sh\n# description: eats "all" of its input\ncat\nyes x | head -c 40000\nexit 3\n';
    await using dir = await withTool("eats_input", script);
    await using ext = await started("/", dir.path);
    const registered = ext.lines.map((line) => JSON.parse(line)).find(({ name }) => name === "eats_input");
    expect(registered).toMatchObject({
      description: 'eats "all" of its input',
      schema: { type: "object", properties: {} },
    });
    ext.write('{"type":"tool_call","id":"t1","name":"eats_input","args":{"n":9007199254740993}}\n');
    ext.send({ type: "tool_call", id: "t2", name: "load_tools", args: { tools: ["eats_input"] } });
    const result = await ext.next({ id: "t1" });
    expect(textOf(result)).toStartWith('eats_input failed (3): {"n":9007199254740993}\nx\nx\n');
    expect(textOf(result).length).toBeLessThanOrEqual(30_000);
    expect(result).toMatchObject({ is_error: true });
    expect(await ext.next({ id: "t2" })).toMatchObject({ activate_tools: ["eats_input"] });
    expect(await ext.shutdown()).toBe(0);
  });
});

test("in a real host the scripts are deferred, and the loader's result names what to offer", async () => {
  await using world = await HostWorld.create({ host: { explicit: [import.meta.dir] } });
  await world.start();
  expect(world.diagnostics("loader")).toEqual([]);
  const deferred = world.host.tools.offered.filter((tool) => tool.deferred).map(({ name }) => name);
  expect(deferred).toEqual(["disk_usage", "recent_commits", "todo_comments"]);
  await mkdir(join(world.cwd, "somewhere"));
  const { activate } = await world.host.tools.call("load_tools", '{"tools": ["disk_usage"]}', LIVE);
  expect(activate).toEqual(["disk_usage"]);
  expect(JSON.stringify(await world.host.tools.call("disk_usage", "", LIVE))).toContain("somewhere");
});

test.skipIf(!zotIsBuilt)("in zot a loaded tool is offered from then on, in that session only", async () => {
  await using dir = await tempDir();
  const cwd = join(dir.path, "project");
  const run = async (...args: readonly string[]) => {
    const all = ["-p", "--provider", "offline", "--ext", import.meta.dir, ...args];
    const { code, stdout, stderr } = await runZot(all, { home: dir.path, cwd });
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  expect(await run("which tools are there?")).toContain("edit, bash, load_tools.");
  expect(await run("-c", 'call load_tools {"tools":["disk_usage"]}')).toContain("available from now on: disk_usage");
  const offered = await run("-c", "which tools are there?");
  expect(offered).toContain("disk_usage");
  expect(offered).not.toContain("todo_comments");
  expect(await run("which tools are there?")).not.toContain("disk_usage");
});
