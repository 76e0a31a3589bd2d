import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openScreen } from "../../test/interactive/support/screen.ts";
import { driveExtension, type ExtensionDriver, type Frame } from "../../test/support/extension-driver.ts";
import { HostWorld } from "../../test/support/host.ts";
import { ManualTimers } from "../../test/support/manual-timers.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

setDefaultTimeout(30_000);

const CALL = { title: "Deploy  it", plan: ["build", "upload\nto production"] };
const LIVE = new AbortController().signal;

async function started(): Promise<ExtensionDriver> {
  const ext = driveExtension(import.meta.dir, { env: { LC_ALL: "C", PYTHONUTF8: "0" } });
  await ext.greet({ protocol_version: 2 });
  return ext;
}

function press(ext: ExtensionDriver, panel: string, ...keys: readonly string[]): void {
  ext.send(
    ...keys.map((key) => {
      const named = { type: "panel_key", panel_id: panel, key };
      return [...key].length === 1 ? { ...named, key: "rune", text: key } : named;
    }),
  );
}

/** Calls the tool and gives the panel that opens. */
async function asked(
  ext: ExtensionDriver,
  id: string,
  args: object = CALL,
): Promise<Readonly<Record<string, unknown>>> {
  ext.send({ type: "tool_call", id, name: "ask_approval", args });
  const { panel } = await ext.next({ type: "open_panel" });
  return Object(panel);
}

const textOf = (frame: Frame): string => String(Object([frame["content"]].flat()[0]).text);

describe.skipIf(Bun.which("python3") === null)("approve", () => {
  test("opens a panel of its own for a call, and what is chosen there is the answer", async () => {
    await using ext = await started();
    expect(await asked(ext, "t1")).toEqual({
      id: "approval-t1",
      title: "Approve? Deploy it",
      lines: ["▸ [no]    no, because …     yes ", "build", "upload", "to production"],
      footer: "←/→ choose · enter decides · ↑/↓ read · esc no",
    });
    await ext.next({ type: "alert", kind: "bell" });
    press(ext, "approval-t1", "right", "right", "enter");
    await ext.next({ type: "panel_close", panel_id: "approval-t1" });
    const yes = await ext.next({ id: "t1" });
    expect(textOf(yes)).toBe("The user approved.");
    expect(yes).not.toHaveProperty("is_error");
  });

  test("enter alone is a no, whatever was typed before it", async () => {
    await using ext = await started();
    await asked(ext, "t1");
    press(ext, "approval-t1", "y", "a", " ", "enter");
    const no = await ext.next({ id: "t1" });
    expect(no).toMatchObject({ is_error: true });
    expect(textOf(no)).toBe("The user said no. Do not go on with this plan.");
  });

  test("a reason is typed, corrected and handed on", async () => {
    await using ext = await started();
    await asked(ext, "t1");
    press(ext, "approval-t1", "right", "enter", "n", "ö", "🎉", "x", "backspace", "enter");
    expect(textOf(await ext.next({ id: "t1" }))).toBe("The user said no, because: nö🎉. Do not go on with this plan.");
    expect(ext.lines.some((line) => line.includes("▸ no, because: nö🎉x▏"))).toBe(true);
  });

  test("closing the panel is a no, once, and a late key decides nothing", async () => {
    await using ext = await started();
    await asked(ext, "t1");
    ext.send({ type: "panel_close", panel_id: "approval-t1" }, { type: "panel_close", panel_id: "approval-t1" });
    expect(textOf(await ext.next({ id: "t1" }))).toStartWith("The user said no.");
    press(ext, "approval-t1", "right", "right", "enter");
    await asked(ext, "t2");
    expect(ext.lines.filter((line) => line.includes("tool_result"))).toHaveLength(1);
  });

  test("questions come one at a time, and a call that was given up takes its panel along", async () => {
    await using ext = await started();
    await asked(ext, "t1");
    for (const id of ["t2", "t3"]) ext.send({ type: "tool_call", id, name: "ask_approval", args: CALL });
    ext.send({ type: "tool_cancel", id: "t2" }, { type: "tool_cancel", id: "t1" });
    await ext.next({ type: "panel_close", panel_id: "approval-t1" });
    expect(await ext.next({ type: "open_panel" })).toMatchObject({ panel: { id: "approval-t3" } });
    press(ext, "approval-t3", "right", "right", "enter");
    await ext.next({ id: "t3" });
    expect(ext.lines.filter((line) => line.includes("tool_result"))).toHaveLength(1);
    expect(ext.lines.filter((line) => line.includes("open_panel"))).toHaveLength(2);
  });

  test("a plan that is longer than the panel is scrolled, within its ends", async () => {
    await using ext = await started();
    ext.send({ type: "panel_resize", panel_id: "none", width: 40, height: 5 });
    const plan = Array.from({ length: 10 }, (_, i) => `step ${i + 1}`);
    const { lines } = await asked(ext, "t1", { title: "x", plan });
    expect(lines).toEqual([expect.any(String), "step 1", "step 2", "step 3", "  … lines 1 to 3 of 10"]);
    press(ext, "approval-t1", "up", "down", "pagedown", "pagedown", "pagedown", "pagedown");
    for (const first of [1, 2, 5, 8, 8]) {
      const { lines: shown } = await ext.next({ type: "panel_render" });
      expect(shown).toContain(`  … lines ${first} to ${first + 2} of 10`);
    }
    ext.send({ type: "panel_resize", panel_id: "approval-t1", width: 40, height: 30 });
    await ext.next({ type: "panel_render" });
    expect(await ext.next({ type: "panel_render" })).toMatchObject({ lines: [expect.any(String), ...plan] });
  });

  test.each([
    [{}, "title: expected a text"],
    [{ title: "x", plan: [] }, "plan: expected a list of texts"],
    [{ title: "x", plan: ["a", 1] }, "plan: expected a list of texts"],
    [{ title: "x".repeat(101), plan: ["a"] }, "title: longer than 100 characters"],
    [{ title: "x", plan: ["a".repeat(20_000)] }, "plan: longer than 20000 characters"],
    [null, "arguments: expected an object"],
  ])("%j is refused: %s", async (args, reason) => {
    await using ext = await started();
    expect(textOf(await ext.tool("ask_approval", args))).toBe(`invalid call of ask_approval: ${reason}`);
  });

  test("ends on shutdown, a question that is open included", async () => {
    await using ext = await started();
    await asked(ext, "t1");
    expect(await ext.shutdown()).toBe(0);
  });
});

describe.skipIf(Bun.which("python3") === null)("approve in a real host", () => {
  test("a human may take an hour, and answers with keys", async () => {
    const timers = new ManualTimers();
    await using world = await HostWorld.create({ host: { explicit: [import.meta.dir], timers } });
    await world.start();
    const call = world.host.tools.call("ask_approval", JSON.stringify(CALL), LIVE);
    const { panel } = await world.surface.told("openPanel");
    expect(panel).toMatchObject({ extension: "approve", title: "Approve? Deploy it" });
    timers.pass(3_600_000);
    expect(world.host.panels.open?.id).toBe(panel.id);
    for (const key of ["right", "right", "enter"]) world.host.panels.key(key);
    expect(await call).toMatchObject({ content: [{ type: "text", text: "The user approved." }], isError: false });
    expect(world.host.panels.open).toBeUndefined();
  });

  test("esc is a no, and so is somebody else's panel", async () => {
    await using world = await HostWorld.create({ host: { explicit: [import.meta.dir] } });
    world.puppet("other");
    await world.start();
    const first = world.host.tools.call("ask_approval", JSON.stringify(CALL), LIVE);
    await world.surface.told("openPanel");
    world.host.panels.key("esc");
    expect(await first).toMatchObject({ isError: true });
    const second = world.host.tools.call("ask_approval", JSON.stringify(CALL), LIVE);
    await world.surface.told("openPanel", 2);
    await world.emit("other", { type: "open_panel", panel: { id: "p" } });
    expect(JSON.stringify(await second)).toContain("The user said no.");
  });

  test("a turn that is given up closes the panel", async () => {
    await using world = await HostWorld.create({ host: { explicit: [import.meta.dir] } });
    await world.start();
    const abort = new AbortController();
    const call = world.host.tools.call("ask_approval", JSON.stringify(CALL), abort.signal);
    await world.surface.told("openPanel");
    abort.abort();
    expect(await call).toMatchObject({ isError: true });
    await world.surface.told("closePanel");
  });

  test.skipIf(!zotIsBuilt)("on a screen the panel is read and answered, and the turn goes on", async () => {
    await using screen = await openScreen(["--provider", "offline", "--no-ext", "--ext", import.meta.dir]);
    await screen.shows("approve (");
    const plan = Array.from({ length: 12 }, (_, i) => `step ${i + 1}`);
    await screen.enter(`call ask_approval ${JSON.stringify({ title: "Deploy", plan })}`);
    await screen.shows("Approve? Deploy");
    // As much as fits: the host has said how much room there is.
    await screen.shows("… lines 1 to 4 of 12");
    await screen.press("down", "right", "right");
    await screen.shows("… lines 2 to 5 of 12");
    await screen.shows("[yes]");
    await screen.press("enter");
    await screen.shows("ask_approval: The user approved.");
    await screen.hides("Approve? Deploy");
  });

  test.skipIf(!zotIsBuilt)("without a terminal the model is told that nobody can be asked", async () => {
    const call = `call ask_approval ${JSON.stringify(CALL)}`;
    const result = await runZot(["-p", "--provider", "offline", "--ext", import.meta.dir, call]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toContain("extension approve/ask_approval is interactive and requires an interactive host");
  });
});
