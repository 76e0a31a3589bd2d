import { describe, expect, spyOn, test } from "bun:test";
import { Attachment } from "../../src/host/attachment.ts";
import { Chrome } from "../../src/host/contributions/chrome.ts";
import { HostWorld, isRunning } from "../support/host.ts";
import { RecordingSurface } from "../support/recording-surface.ts";
import { unstartedExtension } from "../support/unstarted-extension.ts";
import { until } from "../support/until.ts";

test("a note reaches the surface with its owner, and an empty one does not", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit(
    "a",
    { type: "notify", level: "warn", message: "two\nlines" },
    { type: "notify", level: "", message: "no level" },
    { type: "notify", level: "info", message: " \n" },
    { type: "notify", level: "odd", message: "odd level" },
  );
  expect(world.surface.notes).toEqual(["[a] warn: two\nlines", "[a] info: no level", "[a] odd: odd level"]);
  expect(world.surface.of("note")[0]?.note).toMatchObject({ extension: "a", generation: 1 });
});

test("clear_notes withdraws what the extension said and displayed, and nothing that mentions its name", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", { type: "notify", level: "info", message: "mine" });
  await world.emit("b", { type: "notify", level: "info", message: "about [a] " });
  world.host.chrome.notes.display(world.extension("a"), "displayed");
  await world.emit("a", { type: "clear_notes" });
  expect(world.host.chrome.notes.list.map(({ message }) => message)).toEqual(["about [a] "]);
  expect(world.surface.of("clearNotes")).toEqual([{ call: "clearNotes", extension: "a" }]);
});

test("the host's own word about an extension is not the extension's to withdraw", async () => {
  await using world = await HostWorld.of({ a: {} });
  world.host.chrome.notes.report(world.extension("a"), "warn", "by the host");
  await world.emit("a", { type: "clear_notes" });
  expect(world.host.chrome.notes.list.map(({ message }) => message)).toEqual(["by the host"]);
});

test("the newest 100 notes are kept, and dismissing forgets them all", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit(
    "a",
    ...Array.from({ length: 130 }, (_, n) => ({ type: "notify", level: "info", message: `n${n}` })),
  );
  const kept = world.host.chrome.notes.list.map(({ message }) => message);
  expect(kept).toHaveLength(100);
  expect(kept[0]).toBe("n30");
  world.host.chrome.notes.dismiss();
  expect(world.host.chrome.notes.list).toEqual([]);
});

test("a note longer than its bound is cut, never inside a character", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", { type: "notify", level: "info", message: `${"x".repeat(8191)}🎉🎉` });
  const message = world.host.chrome.notes.list[0]?.message ?? "";
  expect(message.isWellFormed()).toBe(true);
  expect(message).toBe(`${"x".repeat(8191)}…`);
});

test("statuses are sorted by extension and key, replaced by key, and cleared by an empty text", async () => {
  await using world = await HostWorld.of({ b: {}, a: {} });
  await world.emit("b", { type: "status", key: "k", text: "b1", level: "success" });
  await world.emit(
    "a",
    { type: "status", key: "z", text: "a-z" },
    { type: "status", key: "c", text: "  a-c  " },
    { type: "status", key: "z", text: "a-z again" },
    { type: "status", key: " ", text: "blank key" },
  );
  const shown = () => world.host.chrome.statuses.list.map(({ extension, key, text }) => `${extension}/${key} ${text}`);
  expect(shown()).toEqual(["a/c a-c", "a/z a-z again", "b/k b1"]);
  await world.emit("a", { type: "status", key: "z", text: " " });
  expect(shown()).toEqual(["a/c a-c", "b/k b1"]);
  expect(world.surface.of("clearStatus")).toEqual([{ call: "clearStatus", extension: "a", key: "z" }]);
  expect(world.surface.of("status")).toHaveLength(4);
});

test("a widget is normalised, replaced by id, and cleared", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit(
    "a",
    { type: "widget", id: "w", position: "right_bar", title: "T", lines: ["1", "2"] },
    { type: "widget", id: "v" },
    { type: "widget", id: "", lines: ["no id"] },
  );
  expect(world.host.chrome.widgets.list).toEqual([
    { extension: "a", generation: 1, id: "v", position: "above_input", title: "", lines: [] },
    { extension: "a", generation: 1, id: "w", position: "above_input", title: "T", lines: ["1", "2"] },
  ]);
  await world.emit("a", { type: "widget_clear", id: "w" });
  expect(world.host.chrome.widgets.list.map(({ id }) => id)).toEqual(["v"]);
  expect(world.surface.of("clearWidget")).toEqual([{ call: "clearWidget", extension: "a", key: "w" }]);
});

test("statuses and widgets of one extension are bounded, those that exist can still change", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  const many = Array.from({ length: 70 }, (_, n) => n);
  await world.emit("a", ...many.map((n) => ({ type: "status", key: `s${n}`, text: "x" })));
  await world.emit("a", ...many.map((n) => ({ type: "widget", id: `w${n}`, lines: Array(200).fill("y") })));
  await world.emit(
    "a",
    { type: "status", key: "s0", text: "changed" },
    { type: "status", key: "k".repeat(300), text: "x" },
  );
  await world.emit("b", { type: "status", key: "other", text: "x" });
  const { statuses, widgets } = world.host.chrome;
  expect(statuses.list.filter(({ extension }) => extension === "a")).toHaveLength(64);
  expect(statuses.list.find(({ key }) => key === "s0")?.text).toBe("changed");
  expect(statuses.list.some(({ extension }) => extension === "b")).toBe(true);
  expect(widgets.list).toHaveLength(64);
  expect(widgets.list[0]?.lines).toHaveLength(100);
  expect(world.diagnostics("a").filter((entry) => entry.includes("refused"))).toHaveLength(3);
});

test("an extension rings at most once a second, and others ring meanwhile; unknown kinds come through", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  const bell = { type: "alert", kind: "bell", reason: "look" };
  await world.emit("a", bell, bell, bell);
  await world.emit("b", { type: "alert", kind: "siren" });
  expect(world.surface.of("alert").map(({ alert }) => `${alert.extension} ${alert.kind} ${alert.reason}`)).toEqual([
    "a bell look",
    "b siren ",
  ]);
  const rang = performance.now();
  await until("the second bell of a", async () => {
    await world.emit("a", bell);
    return world.surface.of("alert").length === 3;
  });
  expect(performance.now() - rang).toBeGreaterThan(900);
});

test("a dead process takes its chrome along, and the user hears of its end", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit(
    "a",
    { type: "status", key: "k", text: "x" },
    { type: "widget", id: "w", lines: ["x"] },
    { type: "notify", level: "info", message: "gone soon" },
  );
  await world.emit("b", { type: "status", key: "k", text: "stays" });
  process.kill(world.pid("a"), "SIGKILL");
  await world.surface.noted("exited (signal: killed); /reload-ext to restart");
  expect(world.surface.of("clearChrome")).toEqual([{ call: "clearChrome", extension: "a" }]);
  const { notes, statuses, widgets } = world.host.chrome;
  expect(statuses.list.map(({ text }) => text)).toEqual(["stays"]);
  expect(widgets.list).toEqual([]);
  expect(notes.list.map(({ message }) => message)).toEqual(["exited (signal: killed); /reload-ext to restart"]);
});

test("malformed chrome frames are diagnosed and change nothing", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit(
    "a",
    { type: "status", key: "k", text: 5 },
    { type: "widget", id: "w", lines: [null, 5, {}] },
    { type: "notify", level: 9, message: {} },
    { type: "alert" },
  );
  expect(world.surface.calls).toEqual([]);
  expect(world.diagnostics("a").map((entry) => entry.split(":")[0])).toEqual([
    "bad status frame",
    "bad widget frame",
    "bad notify frame",
    "bad alert frame",
  ]);
});

test("a surface that comes late gets the latest of everything, and at most 64 notes", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} }, { detached: true });
  await world.emit("a", ...Array.from({ length: 80 }, (_, n) => ({ type: "notify", level: "info", message: `n${n}` })));
  await world.emit(
    "a",
    { type: "status", key: "k", text: "old" },
    { type: "status", key: "k", text: "new" },
    { type: "widget", id: "w", lines: ["1"] },
    { type: "widget", id: "gone", lines: ["1"] },
    { type: "widget_clear", id: "gone" },
    { type: "alert", kind: "bell" },
  );
  world.host.attach(world.surface);
  expect(world.surface.notes).toHaveLength(64);
  expect(world.surface.notes.at(-1)).toBe("[a] info: n79");
  expect(world.surface.of("status").map(({ status }) => status.text)).toEqual(["new"]);
  expect(world.surface.of("widget").map(({ widget }) => widget.id)).toEqual(["w"]);
  expect(world.surface.of("alert")).toHaveLength(1);

  const second = new RecordingSurface();
  world.host.attach(second);
  expect(second.of("status")).toHaveLength(1);
  // A bell is for the moment, not for every screen to come.
  expect(second.of("alert")).toEqual([]);
});

describe("an older generation of an extension", () => {
  const attachment = new Attachment();
  const chrome = new Chrome(attachment);
  const surface = new RecordingSurface();
  attachment.attach(surface);
  const [old, young] = [unstartedExtension("a", 1), unstartedExtension("a", 2)];

  test("leaves alone what the younger one has set", () => {
    chrome.statuses.put(old, { key: "shared", level: "", text: "old" });
    chrome.statuses.put(old, { key: "own", level: "", text: "old" });
    chrome.statuses.put(young, { key: "shared", level: "", text: "young" });
    chrome.statuses.put(old, { key: "shared", level: "", text: "late" });
    chrome.statuses.put(old, { key: "shared", level: "", text: "" });
    expect(chrome.statuses.list.map(({ text }) => text)).toEqual(["old", "young"]);
  });

  test("takes only its own along when it ends", () => {
    chrome.notes.notify(young, { level: "", message: "hello from the young one" });
    chrome.widgets.put(young, { id: "w", title: "", lines: [] });
    chrome.notes.notify(old, { level: "", message: "bye" });
    chrome.remove(old);
    expect(chrome.statuses.list.map(({ text, generation }) => ({ text, generation }))).toEqual([
      { text: "young", generation: 2 },
    ]);
    expect(chrome.widgets.list).toHaveLength(1);
    expect(chrome.notes.list.map(({ message }) => message)).toEqual(["hello from the young one"]);
    // A surface that knows names only must not be told to forget all of that name.
    expect(surface.of("clearChrome")).toEqual([]);
    expect(surface.of("clearStatus")).toEqual([{ call: "clearStatus", extension: "a", key: "own" }]);
  });
});

test("a surface that fails when an extension ends does not keep its process alive, nor the host from stopping", async () => {
  await using world = await HostWorld.create();
  world.python(
    "a",
    `
    hello()
    ready()
    os.close(1)
    time.sleep(600)
    `,
  );
  const broken = spyOn(world.surface, "clearChrome").mockImplementation(() => {
    throw new Error("no screen");
  });
  await world.start();
  await until("its end", () => !isRunning(world.pid("a")));
  expect(broken).toHaveBeenCalled();
  expect(await world.diagnosed("a", "internal error")).toEndWith("Error: no screen");
  await world.host.stop(0);
});
