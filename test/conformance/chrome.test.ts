import { expect, test } from "bun:test";
import { StatusesRegion } from "../../src/surfaces/interactive/extensions/statuses-region.ts";
import { WidgetsRegion } from "../../src/surfaces/interactive/extensions/widgets-region.ts";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import { HostWorld } from "../support/host.ts";
import { until } from "../support/until.ts";

// extension-host.md §10, Panels and chrome, 99, 100 and 104: what the real host keeps of real children, and the rows of it.

test("099 with the process go its panel, statuses, widgets and notes, and nobody else's", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  const chrome = (text: string) => [
    { type: "status", key: "k", text },
    { type: "widget", id: "w", lines: [text] },
    { type: "notify", level: "info", message: text },
  ];
  await world.emit("b", ...chrome("of b"));
  await world.emit("a", ...chrome("of a"), { type: "open_panel", panel: { id: "p" } });
  const { notes, statuses, widgets } = world.host.chrome;
  expect(statuses.list.map(({ text }) => text)).toEqual(["of a", "of b"]);

  process.kill(world.pid("a"), "SIGKILL");
  await world.surface.told("clearChrome");
  await world.surface.told("closePanel");
  expect(world.host.panels.open).toBeUndefined();
  expect(statuses.list.map(({ text }) => text)).toEqual(["of b"]);
  expect(widgets.list.map(({ lines }) => lines)).toEqual([["of b"]]);
  await world.surface.noted("exited (signal: killed); /reload-ext to restart");
  expect(notes.list.map(({ extension, message }) => `${extension} ${message}`)).toEqual([
    "b of b",
    // The host's own word on it, which is no note of the extension.
    "a exited (signal: killed); /reload-ext to restart",
  ]);
});

test("100 an empty text clears a status; 20 statuses are 6 rows, widgets 12, the last of which says so", async () => {
  await using world = await HostWorld.of({ a: {} });
  const { statuses, widgets } = world.host.chrome;
  await world.emit("a", { type: "status", key: "k", text: "here" });
  expect(statuses.list.map(({ text }) => text)).toEqual(["here"]);
  await world.emit("a", { type: "status", key: "k", text: "" });
  expect(statuses.list).toEqual([]);
  expect(world.surface.of("clearStatus")).toEqual([{ call: "clearStatus", extension: "a", key: "k" }]);

  const letters = [..."abcdefghijklmnopqrst"];
  await world.emit("a", ...letters.map((key) => ({ type: "status", key, text: `status ${key}` })));
  const statusRows = rowsOf(new StatusesRegion(new Look("none"), () => statuses.list));
  const firstFive = letters.slice(0, 5).map((key) => `  [a] status ${key}`);
  expect(statusRows).toEqual([...firstFive, "  ... extension statuses truncated ..."]);

  const lines = Array.from({ length: 9 }, (_, n) => `line ${n}`);
  await world.emit("a", ...["u", "v"].map((id) => ({ type: "widget", id, title: `title ${id}`, lines })));
  const widgetRows = rowsOf(new WidgetsRegion(new Look("none"), () => widgets.list));
  expect(widgetRows).toEqual([
    "  [a] title u",
    ...lines.map((line) => `  ${line}`),
    "  [a] title v",
    "  ... extension widgets truncated ...",
  ]);
  expect(widgetRows).toHaveLength(12);
});

test("104 submit_slash of a text without a slash is refused, with a line in the log", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", { type: "submit_slash", text: "hello" });
  expect(world.surface.of("submitSlash")).toEqual([]);
  expect(world.surface.of("submit")).toEqual([]);
  await until("the line in the log", () => {
    return world.log("a").includes('[zot] submit_slash refused (not a slash command): "hello"\n');
  });
});

/** What a region draws when it has all the room that it wants. */
function rowsOf(region: StatusesRegion | WidgetsRegion): string[] {
  const [width, height] = [80, 50];
  region.fit(region.wish(width, height).want);
  return region.render(width).map((row) => Bun.stripANSI(row));
}
