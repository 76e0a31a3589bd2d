import { describe, expect, test } from "bun:test";
import { runZot, zotIsBuilt } from "../support/zot.ts";
import { ExtHome } from "./support/ext-home.ts";

describe.skipIf(!zotIsBuilt)("the command line", () => {
  test.each([
    [["sesions"], 'unknown command "sesions"; did you mean sessions?'],
    [["modles"], 'unknown command "modles"; did you mean models?'],
    [["--provider", "offline", "sessions"], "the command sessions comes first"],
    [["sessions", "extra"], 'unexpected word "extra" behind sessions'],
    [["models", "anthropic", "extra"], 'unexpected word "extra" behind models'],
    [["ext", "list", "extra"], 'unexpected word "extra" behind list'],
    [["ext", "doctor", "extra"], 'unexpected word "extra" behind doctor'],
    [["ext", "-v"], 'unknown flag "ext -v"'],
    [["-p", "--provider", "offline", "--ext", "", "hi"], "--ext needs a value"],
    [["sessions", "--cwd="], "--cwd needs a value"],
    [["-p", "--no-yolo", "--approve", "never", "hi"], "contradict each other"],
  ])("%j is refused with status 2", async (args, text) => {
    const { code, stdout, stderr } = await runZot(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(text);
  });

  test.each([
    [["--provider", "offline", "--", "modles"]],
    [["-p", "--provider", "offline", "modles"]],
    [["--provider", "offline", "help me with the models"]],
    [["--provider", "offline", "context"]],
  ])("%j is a prompt", async (args) => {
    const { code, stdout } = await runZot(args);
    expect([code, stdout.split(":")[0]]).toEqual([0, "This is zot's offline model"]);
  });

  test("rpc says its version and serves nobody", async () => {
    const { code, stdout } = await runZot(["rpc", "--version", "--provider", "offline"]);
    expect([code, stdout]).toEqual([0, (await runZot(["--version"])).stdout]);
  });

  test("models offline lists what models names first", async () => {
    expect((await runZot(["models"])).stdout).toStartWith("offline\n");
    expect((await runZot(["models", "offline"])).stdout).toBe("offline/offline\n");
  });

  test("doctor shows nothing of a manifest that could steer a terminal", async () => {
    await using home = await ExtHome.create();
    const manifest = { name: "evil", version: "1\u001b[2J\u001b]52;c;eA==\u0007", exec: "./x\u001b[31m" };
    await home.folder("zot/extensions/evil", { "extension.json": JSON.stringify(manifest) });
    const { stdout } = await home.ext("doctor");
    expect(stdout).toContain("version: 1\n");
    expect(stdout).not.toContain("\u001b");
  });
});
