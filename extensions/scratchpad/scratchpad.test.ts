import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { driveExtension } from "../../test/support/extension-driver.ts";
import { tempDir } from "../../test/support/temp-dir.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

describe("scratchpad", () => {
  test("notes of the command and of the tool end up in the project, and are shown again", async () => {
    await using project = await tempDir();
    await using ext = driveExtension(import.meta.dir);
    await ext.greet({ cwd: project.path });
    expect((await ext.command("notes"))["display"]).toBe("no notes yet; /note TEXT makes one");
    expect(await ext.tool("scratchpad", { action: "read" })).toMatchObject({ content: [{ text: "no notes yet" }] });
    expect(await ext.command("note", "the tests\nneed git")).toMatchObject({ action: "noop" });
    await ext.next({ type: "notify", level: "success" });
    await ext.tool("scratchpad", { action: "append", text: "done" });
    const file = await readFile(join(project.path, ".zot", "scratchpad.md"), "utf8");
    expect(file).toMatch(/^- \d{4}-\d\d-\d\d the tests\n {2}need git\n- \d{4}-\d\d-\d\d done\n$/);
    expect((await ext.command("notes"))["display"]).toBe(file);
  });

  test("an empty note is an error for the user and for the model", async () => {
    await using project = await tempDir();
    await using ext = driveExtension(import.meta.dir);
    await ext.greet({ cwd: project.path });
    expect((await ext.command("note"))["error"]).toBe("a note needs a text");
    expect(await ext.tool("scratchpad", { action: "append" })).toMatchObject({ is_error: true });
  });

  test.each([
    ["", ""],
    [`${"ä".repeat(20_000)}\nlast line\n`, "…\nlast line\n"],
  ])("a file of any length is shown from a line on", async (content, expected) => {
    await using project = await tempDir();
    await Bun.write(join(project.path, ".zot", "scratchpad.md"), content);
    await using ext = driveExtension(import.meta.dir);
    await ext.greet({ cwd: project.path });
    expect(await ext.tool("scratchpad", { action: "read" })).toMatchObject({
      content: [{ type: "text", text: expected }],
    });
  });

  test.skipIf(!zotIsBuilt)("the model's note is in the project of the run", async () => {
    await using project = await tempDir();
    const call = 'call scratchpad {"action":"append","text":"the tests need git"}';
    const result = await runZot(["-p", "--provider", "offline", "--ext", import.meta.dir, call], { cwd: project.path });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(await readFile(join(project.path, ".zot", "scratchpad.md"), "utf8")).toContain("the tests need git");
  });
});
