import { describe, expect, test } from "bun:test";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { driveExtension, type ExtensionDriver, type Frame } from "../../test/support/extension-driver.ts";
import { HostWorld } from "../../test/support/host.ts";
import { type TempDir, tempDir } from "../../test/support/temp-dir.ts";
import { until } from "../../test/support/until.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

function textOf(result: Frame): string {
  const content: unknown = result["content"];
  const [block] = Array.isArray(content) ? content : [];
  return String(Object(block).text);
}

async function greet(ext: ExtensionDriver, dir: TempDir): Promise<void> {
  await ext.greet({ data_dir: dir.path, protocol_version: 2 });
}

function press(ext: ExtensionDriver, ...keys: readonly string[]): void {
  ext.send(
    ...keys.map((key) => {
      const named = { type: "panel_key", panel_id: "todos", key };
      return key.length === 1 ? { ...named, key: "rune", text: key } : named;
    }),
  );
}

/** Waits for a rendering of the panel that shows `line`. */
async function shown(ext: ExtensionDriver, line: string): Promise<Frame> {
  for (;;) {
    const frame = await ext.next({ type: "panel_render" });
    if (Array.isArray(frame["lines"]) && frame["lines"].includes(line)) return frame;
  }
}

describe("todo", () => {
  test("the tool adds, lists, finishes, reopens and removes, and numbers are never used again", async () => {
    await using dir = await tempDir();
    await using ext = driveExtension(import.meta.dir);
    await greet(ext, dir);
    const todo = async (args: object) => textOf(await ext.tool("todo", args));
    expect(await todo({ action: "list" })).toBe("nothing to do");
    expect(await todo({ action: "add", text: " buy\n milk " })).toBe("added 1. [ ] buy milk");
    expect(await todo({ action: "add", text: "sleep" })).toBe("added 2. [ ] sleep");
    expect(await todo({ action: "done", id: 1 })).toBe("1. [x] buy milk");
    expect(await todo({ action: "list" })).toBe("1. [x] buy milk\n2. [ ] sleep");
    expect(await todo({ action: "reopen", id: 1 })).toBe("1. [ ] buy milk");
    expect(await todo({ action: "remove", id: 2 })).toBe("removed 2. [ ] sleep");
    expect(await todo({ action: "add", text: "run" })).toBe("added 3. [ ] run");
    expect(await ext.tool("todo", { action: "done", id: 2 })).toMatchObject({ is_error: true });
    expect(await ext.tool("todo", { action: "add", text: " " })).toMatchObject({ is_error: true });
    expect(textOf(await ext.tool("todo", { action: "shout" }))).toContain("action: expected one of");
  });

  test("the list outlives the process, and calls that come at once all count", async () => {
    await using dir = await tempDir();
    {
      await using ext = driveExtension(import.meta.dir);
      await greet(ext, dir);
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          ext.send({ type: "tool_call", id: `a${i}`, name: "todo", args: { action: "add", text: `n${i}` } });
          await ext.next({ id: `a${i}` });
        }),
      );
      expect(await ext.shutdown()).toBe(0);
    }
    expect(await readdir(dir.path)).toEqual(["todos.json"]);
    await using ext = driveExtension(import.meta.dir);
    await greet(ext, dir);
    expect(textOf(await ext.tool("todo", { action: "list" })).split("\n")).toHaveLength(20);
  });

  test("two processes that share the file do not undo each other", async () => {
    await using dir = await tempDir();
    await using one = driveExtension(import.meta.dir);
    await using two = driveExtension(import.meta.dir);
    await Promise.all([greet(one, dir), greet(two, dir)]);
    await one.tool("todo", { action: "add", text: "first" });
    await two.tool("todo", { action: "add", text: "second" });
    expect(textOf(await one.tool("todo", { action: "list" }))).toBe("1. [ ] first\n2. [ ] second");
  });

  test("a file that is no list is left as it is, and the error names it", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "todos.json");
    await Bun.write(path, '{"nextId":1,"todos":[{"id":1}]}');
    await using ext = driveExtension(import.meta.dir);
    await greet(ext, dir);
    expect(textOf(await ext.tool("todo", { action: "add", text: "x" }))).toBe(
      `${path} is no todo list; repair it or remove it`,
    );
    expect((await ext.command("todo"))["error"]).toContain(path);
    expect(await readFile(path, "utf8")).toBe('{"nextId":1,"todos":[{"id":1}]}');
  });

  test("the panel opens, is walked with keys, ticks off, removes and adds", async () => {
    await using dir = await tempDir();
    await using ext = driveExtension(import.meta.dir);
    await greet(ext, dir);
    expect((await ext.command("todo", "one"))["display"]).toBe("added 1. [ ] one");
    await ext.command("todo", "two");
    const opened = await ext.command("todo");
    expect(opened).toMatchObject({
      action: "open_panel",
      open_panel: { id: "todos", title: "Todos (2 open)", lines: ["▸ □ one", "  □ two"] },
    });
    press(ext, "down", "enter");
    await shown(ext, "▸ ✓ two");
    press(ext, "down", "down", "up", "d");
    await shown(ext, "▸ ✓ two");
    press(ext, "a", "h", "i", "x", "backspace");
    expect(await shown(ext, "▸ hi▏")).toMatchObject({ footer: expect.stringContaining("enter keeps it") });
    press(ext, "enter");
    await shown(ext, "  □ hi");
    expect(textOf(await ext.tool("todo", { action: "list" }))).toBe("2. [x] two\n3. [ ] hi");
  });
});

describe("the todo at work", () => {
  test("belongs to the conversation, is shown, and ends with the todo, whoever finishes it", async () => {
    await using dir = await tempDir();
    await using ext = driveExtension(import.meta.dir);
    await greet(ext, dir);
    for (const text of ["one", "two"]) await ext.tool("todo", { action: "add", text });
    expect(await ext.tool("todo", { action: "start", id: 3 })).toMatchObject({ is_error: true });
    expect(await ext.tool("todo", { action: "start", id: 2 })).toMatchObject({
      details: { id: 2 },
      content: [{ type: "text", text: "at work: 2. [ ] two" }],
    });
    await ext.next({ type: "status", key: "at work", text: "2. two" });
    expect(await ext.command("todo")).toMatchObject({ open_panel: { lines: ["▸ □ one", "  □ two  ← at work"] } });
    press(ext, "down", "enter");
    await ext.next({ type: "status", key: "at work", text: "" });
    press(ext, "enter");
    await ext.next({ type: "status", key: "at work", text: "2. two" });
    ext.send({ type: "event", event: "session_switched", session: { id: "s" }, state: { id: 1 } });
    await ext.next({ type: "status", key: "at work", text: "1. one" });
    ext.send({ type: "event", event: "session_opened", session: { id: "t" } });
    await ext.next({ type: "status", key: "at work", text: "" });
  });

  test("in a real host the panel and the tool share the list, and the status follows", async () => {
    await using dir = await tempDir();
    await cp(import.meta.dir, dir.path, { recursive: true });
    await using world = await HostWorld.create({ host: { explicit: [dir.path] } });
    await world.start();
    const { host, surface } = world;
    const outcome = await host.commands.invoke("todo", "");
    if (outcome.kind !== "open_panel") throw new Error(JSON.stringify(outcome));
    host.outcomes.perform(outcome);
    host.panels.key("rune", "a");
    host.panels.paste("ship it");
    host.panels.key("enter");
    await until("the todo in the panel", () => host.panels.open?.lines.includes("▸ □ ship it"));
    await host.tools.call("todo", '{"action":"start","id":1}', new AbortController().signal);
    expect((await surface.told("status")).status).toMatchObject({ extension: "todo", text: "1. ship it" });
    host.panels.key("enter");
    await surface.told("clearStatus");
    expect(await readFile(join(dir.path, "todos.json"), "utf8")).toContain('"done": true');
  });
});

describe.skipIf(!zotIsBuilt)("todo in zot", () => {
  test("what the model adds in one run, it lists in the next", async () => {
    await using dir = await tempDir();
    const copy = join(dir.path, "todo");
    await cp(import.meta.dir, copy, { recursive: true });
    const run = (call: object) =>
      runZot(["-p", "--provider", "offline", "--ext", copy, `call todo ${JSON.stringify(call)}`]);
    expect(await run({ action: "add", text: "try the panel" })).toMatchObject({ code: 0, stderr: "" });
    expect((await run({ action: "list" })).stdout).toContain("1. [ ] try the panel");
  });

  test("a list that somebody else has broken is an error that names the file", async () => {
    await using dir = await tempDir();
    const copy = join(dir.path, "todo");
    await cp(import.meta.dir, copy, { recursive: true });
    await Bun.write(join(copy, "todos.json"), "oops");
    const result = await runZot(["-p", "--provider", "offline", "--ext", copy, 'call todo {"action":"list"}']);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toContain("todos.json is no todo list");
  });
});
