import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { RawJson } from "../../src/wire/raw-json.ts";
import { driveExtension, type ExtensionDriver, type Frame } from "../../test/support/extension-driver.ts";
import { HostWorld } from "../../test/support/host.ts";
import { startModelServer } from "../../test/support/model-server.ts";
import { tempDir } from "../../test/support/temp-dir.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";
import { advanced, headline, NO_PLAN, planned, reminder, widgetRows } from "./plan.ts";

const PLAN = { action: "plan", phases: ["read", "change", "test"] };
const LIVE = new AbortController().signal;

describe("a plan", () => {
  test("goes phase by phase to its end, and no further", () => {
    let plan = planned([" read\nit ", "", "test"]);
    expect(headline(plan)).toBe("phase 1 of 2: read it");
    plan = advanced(plan);
    expect(reminder(plan)).toContain("✓ read it\n▸ test\n");
    plan = advanced(plan);
    expect(headline(plan)).toBe("all 2 phases done");
    expect(reminder(plan)).toBeUndefined();
    expect(() => advanced(plan)).toThrow("all phases are done already");
    expect(() => advanced(NO_PLAN)).toThrow("there is no plan");
    expect(() => planned([" "])).toThrow("a plan needs phases");
    expect(() => planned(Array.from({ length: 31 }, () => "x"))).toThrow("at most 30 phases");
  });

  test("shows the phases around the one at work when a widget cannot hold them all", () => {
    const phases = Array.from({ length: 20 }, (_, i) => `p${i + 1}`);
    expect(widgetRows({ phases, done: 0 })).toEqual([
      "▸ p1",
      "· p2",
      "· p3",
      "· p4",
      "· p5",
      "· p6",
      "· p7",
      "  … 13 more",
    ]);
    const middle = widgetRows({ phases, done: 10 });
    expect(middle).toHaveLength(9);
    expect(middle.slice(0, 4)).toEqual(["  … 8 before", "✓ p9", "✓ p10", "▸ p11"]);
    expect(widgetRows({ phases, done: 19 }).slice(-2)).toEqual(["✓ p19", "▸ p20"]);
  });
});

async function started(): Promise<ExtensionDriver> {
  const ext = driveExtension(import.meta.dir);
  await ext.greet({ protocol_version: 2 });
  return ext;
}

function textOf(result: Frame): string {
  const [block] = [result["content"]].flat();
  return String(Object(block).text);
}

describe("phases", () => {
  test("what the tool changes is stored, shown, and told to the model", async () => {
    await using ext = await started();
    expect(await ext.intercept("turn_start", { step: 1 })).not.toHaveProperty("context");
    const made = await ext.tool("phases", PLAN);
    expect(made["details"]).toEqual({ phases: ["read", "change", "test"], done: 0 });
    expect(textOf(made)).toBe("phase 1 of 3: read\n▸ read\n· change\n· test");
    await ext.next({ type: "status", key: "phase", text: "phase 1 of 3: read", level: "info" });
    expect(await ext.next({ type: "widget", id: "plan" })).toMatchObject({ lines: ["▸ read", "· change", "· test"] });
    await ext.tool("phases", { action: "next" });
    await ext.next({ type: "status", text: "phase 2 of 3: change" });
    const { context } = await ext.intercept("turn_start", { step: 2 });
    expect(context).toContain('Work on "change" only');
    await ext.tool("phases", { action: "next" });
    await ext.tool("phases", { action: "next" });
    await ext.next({ type: "status", text: "all 3 phases done", level: "success" });
    await ext.next({ type: "widget_clear", id: "plan" });
    expect(await ext.tool("phases", { action: "next" })).toMatchObject({ is_error: true });
    expect((await ext.command("phases"))["display"]).toContain("all 3 phases done");
    expect(await ext.tool("phases", { action: "drop" })).toMatchObject({ details: null });
    expect(textOf(await ext.tool("phases", { action: "show" }))).toBe("no plan");
  });

  test("nothing is shown before there is a plan", async () => {
    await using ext = await started();
    ext.send({ type: "event", event: "session_start", session: { id: "s" } });
    await ext.tool("phases", { action: "show" });
    expect(ext.lines.filter((line) => line.includes('"status"') || line.includes('"widget'))).toEqual([]);
  });
});

test("in a real host the plan follows the conversation, and a conversation without one clears the screen", async () => {
  await using world = await HostWorld.create({ host: { explicit: [import.meta.dir] } });
  await world.start();
  const { host, surface } = world;
  const open = (id: string, plan?: object) => ({
    context: () => ({ id }),
    state: (extension: string) =>
      extension === "phases" && plan !== undefined ? RawJson.parse(JSON.stringify(plan)) : undefined,
  });
  host.sessions.emit("session_start", open("one"));
  await host.tools.call("phases", JSON.stringify(PLAN), LIVE);
  expect((await surface.told("status")).status).toMatchObject({ extension: "phases", text: "phase 1 of 3: read" });
  expect((await surface.told("widget")).widget).toMatchObject({ id: "plan", title: "Plan" });

  host.sessions.emit("session_switched", open("two", { phases: ["a", "b"], done: 1 }));
  await surface.noted("back in phase 2 of 2: b");
  expect((await surface.told("status", 2)).status.text).toBe("phase 2 of 2: b");
  expect(await host.intercepts.turnStart(1, LIVE)).toMatchObject({ context: expect.stringContaining("▸ b") });

  host.sessions.emit("session_opened", open("three"));
  await surface.told("clearStatus");
  await surface.told("clearWidget");
  expect(host.chrome.statuses.list).toEqual([]);
  expect(host.chrome.widgets.list).toEqual([]);
  expect(await host.intercepts.turnStart(1, LIVE)).toEqual({ kind: "allowed", context: "" });
});

describe.skipIf(!zotIsBuilt)("phases in zot", () => {
  test("a resumed session has its plan, a new one none", async () => {
    await using dir = await tempDir();
    const cwd = join(dir.path, "project");
    const run = (...args: readonly string[]) =>
      runZot(["-p", "--provider", "offline", "--ext", import.meta.dir, ...args], { home: dir.path, cwd });
    expect(await run(`call phases ${JSON.stringify(PLAN)}`)).toMatchObject({ code: 0, stderr: "" });
    expect(await run("-c", 'call phases {"action":"next"}')).toMatchObject({ code: 0, stderr: "" });
    expect((await run("-c", "/phases")).stdout).toContain("phase 2 of 3: change");
    expect((await run("/phases")).stdout.trim()).toBe("no plan");
  });

  test("the model is reminded in each request, and the transcript keeps nothing of it", async () => {
    await using dir = await tempDir();
    await using server = await startModelServer([{ calls: [{ name: "phases", args: PLAN }] }, { text: "going on" }]);
    const model = ["--provider", "openai", "--base-url", server.url("openai"), "--model", "scripted", "--api-key", "k"];
    const result = await runZot(["-p", ...model, "--ext", import.meta.dir, "plan it"], { home: dir.path });
    expect(result).toMatchObject({ code: 0, stdout: "going on\n" });
    const asked = server.requests.map(({ json }) => JSON.stringify(json));
    expect(asked.map((request) => request.includes("[Extension context]"))).toEqual([false, true]);
    const sessions = join(dir.path, "zot", "sessions");
    const files = (await readdir(sessions, { recursive: true })).filter((name) => name.endsWith(".jsonl"));
    expect(files).toHaveLength(1);
    const transcript = await Bun.file(join(sessions, files[0] ?? "")).text();
    expect(transcript).toContain("going on");
    expect(transcript).not.toContain("[Extension context]");
  });
});
