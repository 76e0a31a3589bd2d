import { expect, test } from "bun:test";
import type { ToolContent } from "../../src/host/contributions/tool-result.ts";
import { HostWorld } from "../support/host.ts";

const LIVE = new AbortController().signal;
const text = (content: string): object[] => [{ type: "text", text: content }];

const TOOL = { registrations: [{ type: "register_tool", name: "work" }] };

/** Starts a call of the tool `work`; the second one has the other id. */
async function startCall(world: HostWorld, number: number) {
  const updates: ToolContent[][] = [];
  const result = world.host.tools.call("work", `{"n":${number}}`, LIVE, (content) => updates.push([...content]));
  const frame = await world.frame("a", { type: "tool_call", args: { n: number } });
  return { id: frame["id"], updates, result };
}

test("updates of a running call reach that call alone, and are no part of its result", async () => {
  await using world = await HostWorld.of({ a: TOOL });
  const first = await startCall(world, 1);
  const second = await startCall(world, 2);
  await world.emit(
    "a",
    { type: "tool_update", id: first.id, content: text("10 %") },
    { type: "tool_update", id: second.id, content: "a bare string" },
    { type: "tool_update", id: first.id, content: text("20 %") },
    { type: "tool_update", id: first.id, content: [] },
  );
  await world.emit("a", { type: "tool_result", id: first.id, content: text("done") });
  expect((await first.result).content).toEqual([{ type: "text", text: "done" }]);
  expect(first.updates).toEqual([[{ type: "text", text: "10 %" }], [{ type: "text", text: "20 %" }]]);
  expect(second.updates).toEqual([[{ type: "text", text: "a bare string" }]]);
  expect(world.diagnostics("a")).toEqual([]);
});

test("updates for a call that is over, was never there or takes none are ignored with one diagnostic", async () => {
  await using world = await HostWorld.of({ a: TOOL });
  const call = await startCall(world, 1);
  await world.emit("a", { type: "tool_result", id: call.id, content: text("done") });
  await call.result;
  await world.emit(
    "a",
    { type: "tool_update", id: call.id, content: text("late") },
    { type: "tool_update", id: "t999", content: text("made up") },
    { type: "tool_update", content: text("no id") },
  );
  const [invoked] = world.framesOf("a", "command_invoked").slice(-1);
  await world.emit("a", { type: "tool_update", id: invoked?.["id"], content: text("not a tool call") });
  expect(call.updates).toEqual([]);
  expect(world.diagnostics("a")).toEqual(["tool_update for no open call; ignored (×4)"]);
});

test("an answer to another kind of question ends no call", async () => {
  await using world = await HostWorld.create();
  world.python(
    "a",
    `
    hello()
    command("run")
    ready()
    for frame in frames():
        if frame["type"] == "command_invoked":
            emit("tool_update", id=frame["id"], content=[])
            result(frame, "not this")
            respond(frame, action="display", display="this")
    `,
  );
  await world.start();
  expect(await world.host.commands.invoke("run", "")).toMatchObject({ kind: "display", text: "this" });
  expect(world.diagnostics("a")).toEqual([
    "tool_update for no open call; ignored",
    "tool_result for no open call; ignored",
  ]);
});

test("log frames become structured lines in the extension's own log, digits kept", async () => {
  await using world = await HostWorld.create();
  world.python(
    "a",
    `
    hello()
    ready()
    raw('{"type":"log","level":"warn","message":"two\\\\nlines","data":{"n":12345678901234567890}}\\n')
    emit("log", message="plain")
    emit("log", level="debug", message="big", data="x" * 70000)
    emit("log", level="info")
    emit("notify", level="info", message="after")
    idle()
    `,
  );
  await world.start();
  await world.surface.noted("after");
  const lines = world
    .log("a")
    .split("\n")
    .filter((line) => line.startsWith("[log] "));
  expect(lines[0]).toContain('"data":{"n":12345678901234567890}');
  const entries = lines.map((line) => JSON.parse(line.slice(6)));
  expect(entries).toEqual([
    { type: "log", time: expect.any(String), level: "warn", message: "two\nlines", data: expect.anything() },
    { type: "log", time: expect.any(String), level: "info", message: "plain" },
    { type: "log", time: expect.any(String), level: "debug", message: "big", data_omitted: "70002 characters" },
  ]);
  expect(world.surface.notes).toEqual(["[a] info: after"]);
  expect(world.diagnostics("a").join("\n")).toContain("bad log frame");
});

test("hello_ack names the features, in both dialects", async () => {
  await using world = await HostWorld.of({ one: {}, two: { protocol: 2 } });
  for (const name of ["one", "two"]) {
    expect(await world.frame(name, { type: "hello_ack" })).toMatchObject({
      features: ["ui", "tool_update", "uri", "log"],
    });
  }
});
