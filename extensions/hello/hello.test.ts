import { describe, expect, test } from "bun:test";
import { driveExtension } from "../../test/support/extension-driver.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

describe("hello", () => {
  test("each command answers in its own way", async () => {
    await using ext = driveExtension(import.meta.dir);
    await ext.greet({ cwd: "/project", provider: "p", model: "m" });
    expect((await ext.command("hello"))["prompt"]).toBe("Greet me in one short sentence.");
    expect((await ext.command("hello", "Ada"))["prompt"]).toBe("Greet Ada in one short sentence.");
    expect((await ext.command("hello-here"))["display"]).toBe("Hello from /project, where p/m is at work.");
    expect((await ext.command("hello-quiet"))["action"]).toBe("noop");
    await ext.next({ type: "notify", level: "success" });
    expect(await ext.shutdown()).toBe(0);
  });
});

describe.skipIf(!zotIsBuilt)("hello in zot", () => {
  test("a display is the output, and a note goes to stderr", async () => {
    const run = (prompt: string) => runZot(["-p", "--provider", "offline", "--ext", import.meta.dir, prompt]);
    const here = await run("/hello-here");
    expect(here).toMatchObject({ code: 0, stderr: "" });
    expect(here.stdout).toContain("Hello from /");
    const quiet = await run("/hello-quiet");
    expect(quiet).toMatchObject({ code: 0, stdout: "" });
    expect(quiet.stderr).toContain("Hello, quietly.");
  });
});
