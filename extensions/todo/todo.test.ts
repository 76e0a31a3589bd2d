import { describe, expect, test } from "bun:test";
import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { driveExtension, type ExtensionDriver, type Frame } from "../../test/support/extension-driver.ts";
import { tempDir } from "../../test/support/temp-dir.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

function textOf(result: Frame): string {
  const content: unknown = result["content"];
  const [block] = Array.isArray(content) ? content : [];
  return String(Object(block).text);
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
    await ext.greet({ data_dir: dir.path });
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
      await ext.greet({ data_dir: dir.path });
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
    await ext.greet({ data_dir: dir.path });
    expect(textOf(await ext.tool("todo", { action: "list" })).split("\n")).toHaveLength(20);
  });

  test("two processes that share the file do not undo each other", async () => {
    await using dir = await tempDir();
    await using one = driveExtension(import.meta.dir);
    await using two = driveExtension(import.meta.dir);
    await Promise.all([one.greet({ data_dir: dir.path }), two.greet({ data_dir: dir.path })]);
    await one.tool("todo", { action: "add", text: "first" });
    await two.tool("todo", { action: "add", text: "second" });
    expect(textOf(await one.tool("todo", { action: "list" }))).toBe("1. [ ] first\n2. [ ] second");
  });

  test("a file that is no list is left as it is, and the error names it", async () => {
    await using dir = await tempDir();
    const path = join(dir.path, "todos.json");
    await Bun.write(path, '{"nextId":1,"todos":[{"id":1}]}');
    await using ext = driveExtension(import.meta.dir);
    await ext.greet({ data_dir: dir.path });
    expect(textOf(await ext.tool("todo", { action: "add", text: "x" }))).toBe(
      `${path} is no todo list; repair it or remove it`,
    );
    expect((await ext.command("todo"))["error"]).toContain(path);
    expect(await readFile(path, "utf8")).toBe('{"nextId":1,"todos":[{"id":1}]}');
  });

  test("the panel opens, is walked with keys, ticks off, removes and adds", async () => {
    await using dir = await tempDir();
    await using ext = driveExtension(import.meta.dir);
    await ext.greet({ data_dir: dir.path });
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
});
