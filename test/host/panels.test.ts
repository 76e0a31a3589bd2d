import { describe, expect, test } from "bun:test";
import { HostWorld } from "../support/host.ts";
import { until } from "../support/until.ts";

const open = (id: string, panel: object = {}) => ({ type: "open_panel", panel: { id, ...panel } });

test("a panel that opens is shown, with the extension's name for want of a title", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p", { lines: ["1"] }));
  expect(world.host.panels.open).toEqual({
    extension: "a",
    generation: 1,
    id: "p",
    title: "a",
    lines: ["1"],
    footer: "",
  });
  expect(world.surface.of("openPanel")).toHaveLength(1);
});

test("keys arrive in the order of typing, in the names of the protocol", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p"));
  for (const key of ["up", "enter", "backspace", "unknown", "ctrl+x", "pagedown"]) world.host.panels.key(key);
  world.host.panels.key("rune", "é");
  world.host.panels.key("rune", " ");
  world.host.panels.key("rune", "👩‍💻");
  world.host.panels.key("rune");
  world.host.panels.key("tab");
  await world.frame("a", { type: "panel_key", key: "tab" });
  const keys = world.framesOf("a", "panel_key");
  expect(keys.every(({ panel_id }) => panel_id === "p")).toBe(true);
  expect(keys.map(({ key, text }) => text ?? key)).toEqual([
    "up",
    "enter",
    "backspace",
    "pagedown",
    "é",
    " ",
    "👩",
    "\u200d",
    "💻",
    "tab",
  ]);
});

test("without a panel no key is taken", async () => {
  await using world = await HostWorld.of({ a: {} });
  expect(world.host.panels.key("up")).toBe(false);
  expect(world.host.panels.paste("x")).toBe(false);
});

test("a paste comes as runes without line breaks and control characters, and never as Enter", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p"));
  world.host.panels.paste("pass\r\nword\u2028\u0085\u001b[31m\ttab🎉");
  world.host.panels.key("end");
  await world.frame("a", { type: "panel_key", key: "end" });
  const keys = world.framesOf("a", "panel_key").slice(0, -1);
  expect(keys.every(({ key }) => key === "rune")).toBe(true);
  expect(keys.map(({ text }) => text).join("")).toBe("password[31m\ttab🎉");
});

test("a long paste arrives whole and does not cost the extension its connection", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p"));
  world.host.panels.paste("0123456789".repeat(1_000));
  world.host.panels.key("end");
  await world.frame("a", { type: "panel_key", key: "end" });
  expect(world.framesOf("a", "panel_key")).toHaveLength(10_001);
  expect(world.extension("a").state).toBe("ready");
});

test("a paste beyond its bound is cut, and the log says so", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p"));
  world.host.panels.paste("x".repeat(20_000));
  world.host.panels.key("end");
  await world.frame("a", { type: "panel_key", key: "end" });
  expect(world.framesOf("a", "panel_key")).toHaveLength(16 * 1024 + 1);
  await world.diagnosed("a", "was cut");
});

test("a render replaces lines and footer and keeps the title when it brings none", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p", { title: "T", lines: ["1"], footer: "F" }));
  await world.emit("a", { type: "panel_render", panel_id: "p", lines: ["2"], footer: "G" });
  expect(world.host.panels.open).toMatchObject({ title: "T", lines: ["2"], footer: "G" });
  await world.emit("a", { type: "panel_render", panel_id: "p", title: "U" });
  expect(world.host.panels.open).toMatchObject({ title: "U", lines: [], footer: "" });
  expect(world.surface.of("renderPanel")).toHaveLength(2);
});

test("renders and closes for another id or from another extension are ignored", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", open("p", { lines: ["mine"] }));
  await world.emit("a", { type: "panel_render", panel_id: "q", lines: ["x"] }, { type: "panel_close", panel_id: "q" });
  await world.emit("b", { type: "panel_render", panel_id: "p", lines: ["x"] }, { type: "panel_close", panel_id: "p" });
  expect(world.host.panels.open).toMatchObject({ extension: "a", lines: ["mine"] });
  expect(world.surface.of("renderPanel")).toEqual([]);
});

test("an extension closes its own panel without an echo", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p"), { type: "panel_close", panel_id: "p" });
  expect(world.host.panels.open).toBeUndefined();
  expect(world.surface.of("closePanel")).toHaveLength(1);
  await world.emit("a");
  expect(world.framesOf("a", "panel_close")).toEqual([]);
});

test("Esc closes the panel and tells its owner, but is no key", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p"));
  expect(world.host.panels.key("esc")).toBe(true);
  expect(await world.frame("a", { type: "panel_close" })).toEqual({ type: "panel_close", panel_id: "p" });
  expect(world.framesOf("a", "panel_key")).toEqual([]);
  expect(world.host.panels.open).toBeUndefined();
});

test("another extension's panel takes the slot, even with the same id, and the former owner hears of it", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", open("p", { lines: ["a"] }));
  await world.emit("b", open("p", { lines: ["b"] }));
  expect(world.host.panels.open).toMatchObject({ extension: "b", lines: ["b"] });
  await world.frame("a", { type: "panel_close", panel_id: "p" });
  await world.emit("a", { type: "panel_render", panel_id: "p", lines: ["late"] });
  expect(world.host.panels.open?.lines).toEqual(["b"]);
  expect(world.surface.calls.map(({ call }) => call)).toEqual(["openPanel", "closePanel", "openPanel"]);
});

test("opening the same panel again is a refresh and closes nothing", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("", { lines: ["1"] }), open("", { lines: ["2"] }));
  expect(world.host.panels.open).toMatchObject({ id: "", lines: ["2"] });
  await world.emit("a");
  expect(world.framesOf("a", "panel_close")).toEqual([]);
});

test("the end of its owner closes a panel", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p"));
  process.kill(world.pid("a"), "SIGKILL");
  await world.surface.told("closePanel");
  expect(world.host.panels.open).toBeUndefined();
  expect(world.host.panels.key("up")).toBe(false);
});

test("sizes go to protocol 2 alone, on opening and on change", async () => {
  await using world = await HostWorld.of({ one: { protocol: 1 }, two: { protocol: 2 } });
  world.host.panels.resize(80, 20);
  await world.emit("two", open("p"));
  world.host.panels.resize(80, 20);
  world.host.panels.resize(100, 30);
  await world.frame("two", { type: "panel_resize", width: 100 });
  expect(world.framesOf("two", "panel_resize")).toEqual([
    { type: "panel_resize", panel_id: "p", width: 80, height: 20 },
    { type: "panel_resize", panel_id: "p", width: 100, height: 30 },
  ]);
  await world.emit("one", open("p"));
  world.host.panels.resize(60, 10);
  world.host.panels.key("end");
  await world.frame("one", { type: "panel_key", key: "end" });
  expect(world.framesOf("one", "panel_resize")).toEqual([]);
});

test("the action open_panel of a command opens a panel for its owner", async () => {
  await using world = await HostWorld.create();
  world.python(
    "a",
    `
    hello()
    command("show")
    command("broken")
    ready()
    for frame in frames():
        if frame["type"] == "command_invoked":
            panel = {"id": "p", "lines": ["x"]} if frame["name"] == "show" else None
            respond(frame, action="open_panel", open_panel=panel)
    `,
  );
  await world.start();
  const outcome = await world.host.commands.invoke("show", "");
  if (outcome.kind !== "open_panel") throw new Error(JSON.stringify(outcome));
  expect(world.host.outcomes.perform(outcome)).toBe("done");
  expect(world.host.panels.open).toMatchObject({ extension: "a", id: "p", lines: ["x"] });
  expect(await world.host.commands.invoke("broken", "")).toEqual({
    kind: "error",
    text: "extension /broken: open_panel without a panel",
  });
});

test("where there are no panels, one that opens is closed at once", async () => {
  await using world = await HostWorld.of({ a: {} });
  world.surface.lacks.add("openPanel");
  await world.emit("a", open("p"));
  await world.frame("a", { type: "panel_close", panel_id: "p" });
  expect(world.host.panels.open).toBeUndefined();
});

test("a panel opened before there is a surface waits for one", async () => {
  await using world = await HostWorld.of({ a: { protocol: 2 } }, { detached: true });
  await world.emit("a", open("p", { lines: ["early"] }));
  world.host.panels.resize(80, 20);
  expect(world.host.attention.asking).toEqual([]);
  const attached = world.host.attach(world.surface);
  expect(world.surface.of("openPanel").map(({ panel }) => panel.lines)).toEqual([["early"]]);
  expect(world.host.attention.asking).toEqual([{ extension: "a", generation: 1 }]);
  attached[Symbol.dispose]();
  expect(world.host.panels.open?.lines).toEqual(["early"]);
  expect(world.host.attention.asking).toEqual([]);
});

describe("an extension with a panel", () => {
  test("waits for a human while the panel has the focus", async () => {
    await using world = await HostWorld.of({ a: {}, b: {} });
    let changes = 0;
    using _listener = world.host.attention.onChange(() => {
      changes += 1;
    });
    await world.emit("a", open("p"));
    const { panels, attention } = world.host;
    const [a, b] = [world.extension("a"), world.extension("b")];
    expect([panels.hasFocus(a), attention.isAsking(a), attention.isAsking(b)]).toEqual([true, true, false]);
    panels.setFocused(false);
    expect([panels.hasFocus(a), attention.isAsking(a)]).toEqual([false, false]);
    panels.setFocused(true);
    expect(attention.isAsking(a)).toBe(true);
    await world.emit("b", open("p"));
    expect([attention.isAsking(a), attention.isAsking(b)]).toEqual([false, true]);
    panels.close();
    expect(attention.asking).toEqual([]);
    expect(changes).toBe(6);
  });

  test("is given time for its calls until the panel closes", async () => {
    await using world = await HostWorld.of({ a: {}, b: {} });
    await world.emit("a", open("p"));
    const ask = (name: string) =>
      world.extension(name).connection?.call("event_intercept", { event: "turn_start" }, { deadlineMs: 100 });
    let end: string | undefined;
    const waiting = ask("a")?.then(({ kind }) => {
      end = kind;
    });
    // Both began together, so when the other one is over this one has been given more.
    expect((await ask("b"))?.kind).toBe("timeout");
    expect(end).toBeUndefined();
    world.host.panels.close();
    await waiting;
    expect(end).toBe("timeout");
  });
});

test("rows and their lengths are bounded", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", open("p", { lines: [...Array(6_000).fill("x"), "y"], title: "t".repeat(5_000) }));
  const panel = await until("the panel", () => world.host.panels.open);
  expect(panel.lines).toHaveLength(5_000);
  expect(panel.title).toHaveLength(4 * 1024 + 1);
});
