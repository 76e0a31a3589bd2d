import { describe, expect, test } from "bun:test";
import { sdkRuntimes } from "./runtimes.ts";

describe.each(sdkRuntimes)("tools under $name", (runtime) => {
  test("a string is one text block", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const { id: _id, ...result } = await ext.tool("add", { a: 2, b: 3 });
    expect(result).toEqual({ type: "tool_result", content: [{ type: "text", text: "5" }] });
  });

  test("blocks, error mark, details and activated tools arrive as the protocol has them", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    expect(await ext.tool("blocks", {})).toMatchObject({
      content: [
        { type: "text", text: "t" },
        { type: "image", mime_type: "image/png", data: "AQID" },
        { type: "image", mime_type: "image/gif", data: "R0lG" },
      ],
      is_error: true,
      details: { kept: null },
      activate_tools: ["add"],
    });
    const registered = ext.lines.map((line) => JSON.parse(line)).find((frame) => frame.name === "blocks");
    expect(registered).toMatchObject({ type: "register_tool", deferred: true, interactive: true });
  });

  test("arguments that do not fit the schema are answered with the path, and the handler is not asked", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    expect(await ext.tool("add", { b: 1.5 })).toMatchObject({
      is_error: true,
      content: [{ type: "text", text: "invalid arguments for add:\na: required\nb: expected integer, got 1.5" }],
    });
    expect(await ext.tool("add", null)).toMatchObject({ is_error: true });
  });

  test("raw arguments keep every digit and every space", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const raw = '{"n":123456789012345678901234567890, "s":"\\u0022}","args":[1e400]}';
    ext.write(`{"type":"tool_call","args":{"first":1},"id":"r1","name":"raw","args":${raw}}\n`);
    const result = await ext.next({ id: "r1" });
    expect(result["content"]).toEqual([{ type: "text", text: raw }]);
  });

  test.each([
    ["fails", "tool failed"],
    ["wrong", "a tool returns a string, an array of content blocks, or { content }"],
    ["missing", 'this extension has no tool "missing"'],
  ])("%s: the fault becomes an error result", async (tool, text) => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    expect(await ext.tool(tool, {})).toMatchObject({ is_error: true, content: [{ type: "text", text }] });
  });

  test("a result that JSON cannot hold, or a frame cannot, becomes an error result", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    expect(await ext.tool("bigint", {})).toMatchObject({ is_error: true });
    const tooBig = await ext.tool("big", { size: 5_000_000 });
    expect(tooBig).toMatchObject({ is_error: true });
    expect(JSON.stringify(tooBig["content"])).toContain("the host takes at most 4194304");
    expect(await ext.tool("add", { a: 1 })).toMatchObject({ content: [{ type: "text", text: "1" }] });
  });

  test("tool_cancel aborts the signal of its call, which is not answered any more", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send(
      { type: "tool_call", id: "w1", name: "waits", args: {} },
      { type: "tool_call", id: "w2", name: "waits", args: {} },
    );
    ext.send({ type: "tool_cancel", id: "w1" });
    await ext.next({ message: "aborted: the host cancelled the call" });
    // Answers come in the order in which the calls end, so the next one proves that none came for w1.
    await ext.tool("add", { a: 1 });
    expect(ext.lines.join("\n")).not.toContain('"w1"');
    expect(ext.lines.join("\n")).not.toContain('"w2"');
  });

  test("a call that waits holds up neither an intercept nor another call", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "tool_call", id: "w1", name: "waits", args: {} });
    expect(await ext.intercept("tool_call", { tool_name: "blocked", tool_args: {} })).toMatchObject({ block: true });
    expect(await ext.tool("add", { a: 1 })).toMatchObject({ content: [{ type: "text", text: "1" }] });
  });

  test("progress goes out only to a host that offers tool_update", async () => {
    await using able = runtime.start("everything.mjs");
    await able.greet({ features: ["tool_update"] });
    const { id } = await able.tool("progress", {});
    expect(await able.next({ type: "tool_update" })).toEqual({
      type: "tool_update",
      id,
      content: [{ type: "text", text: "half" }],
    });
    await using plain = runtime.start("everything.mjs");
    await plain.greet();
    await plain.tool("progress", {});
    expect(plain.lines.join("\n")).not.toContain("tool_update");
  });
});
