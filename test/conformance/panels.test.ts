import { expect, test } from "bun:test";
import { panelEdge, panelRows } from "../../src/surfaces/interactive/extensions/panel-rows.ts";
import { cellWidth } from "../../src/surfaces/interactive/text/cells.ts";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import { HostWorld } from "../support/host.ts";

// extension-host.md §10, Panels and chrome, 93 and 95 to 98: the panel router of the real host with real children.

const open = (id: string, panel: object = {}) => ({ type: "open_panel", panel: { id, ...panel } });
const render = (id: string, fields: object = {}) => ({ type: "panel_render", panel_id: id, ...fields });

/** TypeScript: a tool that opens a panel, and whose result is what was typed into it up to Enter. */
const ASKING = `
import { extension } from "zot/ext";
const ext = extension({ name: "asking" });
let answer: PromiseWithResolvers<string>;
const typed: string[] = [];
ext.tool("ask", { description: "asks" }, () => {
  answer = Promise.withResolvers();
  ext.openPanel({ id: "q", title: "Question" });
  return answer.promise;
});
ext.onPanelKey("q", ({ key, text }) => {
  typed.push(key === "rune" ? JSON.stringify(text) : key);
  if (key === "enter") answer.resolve(typed.join(" "));
});
await ext.run();
`;

test("093 a panel opened in the middle of a tool call is shown and has the keys, which arrive in typing order", async () => {
  await using world = await HostWorld.create();
  world.files("asking", { "index.ts": ASKING, "extension.json": { name: "asking", exec: "./index.ts" } });
  await world.start();
  const { panels, tools } = world.host;
  const result = tools.call("ask", "{}", new AbortController().signal);
  const { panel } = await world.surface.told("openPanel");
  expect(panel).toMatchObject({ extension: "asking", id: "q", title: "Question" });
  expect(panels.open).toEqual(panel);
  expect(panels.hasFocus(world.extension("asking"))).toBe(true);

  for (const rune of ["a", " ", "é", "🎉"]) panels.key("rune", rune);
  for (const name of ["up", "backspace", "pagedown"]) panels.key(name);
  panels.key("rune", " ");
  panels.key("enter");
  const text = '"a" " " "é" "🎉" up backspace pagedown " " enter';
  expect(await result).toMatchObject({ isError: false, content: [{ type: "text", text }] });
});

test("095 an extension closes its own panel without an echo; what names another panel is ignored", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", open("p", { lines: ["of a"] }));
  for (const [name, id] of [
    ["a", "q"],
    ["b", "p"],
  ] as const) {
    await world.emit(name, render(id, { lines: ["wrong"] }), { type: "panel_close", panel_id: id });
  }
  expect(world.host.panels.open).toMatchObject({ extension: "a", id: "p", lines: ["of a"] });
  expect(world.surface.of("renderPanel")).toEqual([]);
  expect(world.surface.of("closePanel")).toEqual([]);

  await world.emit("a", { type: "panel_close", panel_id: "p" });
  expect(world.host.panels.open).toBeUndefined();
  expect(world.surface.of("closePanel")).toHaveLength(1);
  await world.emit("a", render("p", { lines: ["late"] }));
  expect(world.surface.of("renderPanel")).toEqual([]);
  // One more round trip, so that an echo would have been read.
  await world.emit("a");
  expect(world.framesOf("a", "panel_close")).toEqual([]);
});

test("096 a second extension's panel takes the place of the first, even of the same id, and the first owner is told", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", open("p", { lines: ["of a"] }));
  await world.emit("b", open("p", { lines: ["of b"] }));
  expect(await world.frame("a", { type: "panel_close" })).toEqual({ type: "panel_close", panel_id: "p" });
  expect(world.host.panels.open).toMatchObject({ extension: "b", lines: ["of b"] });

  await world.emit("a", render("p", { lines: ["late"] }), { type: "panel_close", panel_id: "p" });
  expect(world.host.panels.open).toMatchObject({ extension: "b", lines: ["of b"] });
  world.host.panels.key("rune", "x");
  await world.frame("b", { type: "panel_key", key: "rune", text: "x" });
  expect(world.framesOf("a", "panel_key")).toEqual([]);
  expect(world.surface.calls.map(({ call }) => call)).toEqual(["openPanel", "closePanel", "openPanel"]);
});

test("097 a render without a title keeps the old one, and one without lines or footer empties them", async () => {
  await using world = await HostWorld.of({ a: {} });
  const shown = () => world.host.panels.open;
  await world.emit("a", open("p", { title: "T", lines: ["1"], footer: "F" }));
  await world.emit("a", render("p", { lines: ["2", "3"], footer: "G" }));
  expect(shown()).toMatchObject({ title: "T", lines: ["2", "3"], footer: "G" });
  await world.emit("a", render("p", { title: "" }));
  expect(shown()).toMatchObject({ title: "T", lines: [], footer: "" });
  await world.emit("a", render("p", { title: "U", lines: ["4"] }));
  expect(shown()).toMatchObject({ title: "U", lines: ["4"], footer: "" });
  expect(world.surface.of("renderPanel").at(-1)?.panel).toEqual(shown());
});

test("098 what could move the cursor is taken out of a panel, colours stay within their line, wide lines wrap", async () => {
  await using world = await HostWorld.of({ a: {} });
  const hostile = "\u001b[2J\u001b[Hwiped\u001b]0;title\u0007\u001b[10;10H\u0007\r!";
  const lines = [
    hostile,
    "\u001b[31mred",
    "x".repeat(300),
    "\u001b[32m".concat("漢".repeat(300)),
    "two\nrows\tand a tab",
  ];
  await world.emit("a", open("p", { title: hostile, lines, footer: "y".repeat(300) }));
  const panel = world.host.panels.open;
  if (panel === undefined) throw new Error("no panel");
  const width = 78;
  const { rows } = panelRows(panel, new Look("truecolor"), width);

  const bare = rows.map((row) => Bun.stripANSI(row));
  expect(bare[0]).toBe("wiped!");
  expect(rows[1]).toStartWith("\u001b[31mred\u001b[0m");
  // Three rows of each line that is too wide.
  expect(bare.filter((row) => /^x+$/.test(row))).toEqual(Array(3).fill("x".repeat(width)));
  expect(bare.filter((row) => /^漢+$/.test(row))).toEqual(Array(3).fill("漢".repeat(width / 2)));
  expect(bare.slice(-2)).toEqual(["two", "rows    and a tab"]);
  for (const row of [...rows, panelEdge(panel.title, width), panelEdge(panel.footer, width)]) {
    expect(cellWidth(row)).toBeLessThanOrEqual(width);
    // Nothing but colours, which are taken back, and the end of a link.
    const [head = "", ...coloured] = row.replaceAll("\u001b]8;;\u0007", "").split("\u001b[");
    for (const part of coloured) expect(part).toMatch(/^[\d;]*m/);
    expect([head, ...coloured].join("")).not.toMatch(/\p{Cc}/u);
    if (coloured.length > 0) expect(coloured.at(-1)).toMatch(/^(0|39)m$/);
  }
});
