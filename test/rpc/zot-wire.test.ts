import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startModelServer } from "../support/model-server.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { RpcProcess } from "./support/rpc-process.ts";
import { scriptedModel } from "./support/scripted-model.ts";

const ASKER = join(import.meta.dir, "fixtures", "asker.ts");
const WIRE = ["--wire", "zot"];
const withAsker = { args: [...WIRE, "--ext", ASKER] };

/** Types of what came, the pieces of an answer as one. */
function types(zot: RpcProcess): string[] {
  const all = zot.frames.map(({ type, command }) => (type === "response" ? `response ${String(command)}` : type));
  return all.filter((type, index) => type !== "text_delta" || all[index - 1] !== "text_delta");
}

describe.skipIf(!zotIsBuilt)("the line protocol", () => {
  test("says nothing before it is spoken to, and answers every question once", async () => {
    await using zot = await RpcProcess.start({ args: WIRE });
    const hello = await zot.ask({ id: "h", type: "hello" });
    expect(zot.frames).toHaveLength(1);
    expect(hello).toMatchObject({
      success: true,
      data: { protocol_version: 1, provider: "offline", model: "offline" },
    });
    expect(await zot.ask({ id: 7, type: "ping" })).toMatchObject({ data: { pong: true } });
    expect(await zot.ask({ id: "s", type: "get_state" })).toMatchObject({
      data: { provider: "offline", model: "offline", cwd: zot.cwd, message_count: 0, busy: false, usage: { input: 0 } },
    });
    expect(await zot.ask({ id: "m", type: "get_models" })).toMatchObject({ data: { models: [{ id: "offline" }] } });
    expect(await zot.ask({ id: "r", type: "set_reasoning", reasoning: "high" })).toMatchObject({
      data: { reasoning: "high" },
    });
    expect(await zot.ask({ id: "r2", type: "set_reasoning", reasoning: "very" })).toMatchObject({ success: false });
    expect(await zot.ask({ id: "sm", type: "set_model", model: "zzz" })).toMatchObject({ success: false });
    expect(await zot.ask({ id: "x", type: "nope" })).toMatchObject({ success: false, error: "unknown command" });
    zot.send('\n\n{"id"\n{"id":"","type":"nope"}\n');
    expect(await zot.close()).toBe(0);
    const [malformed, anonymous] = zot.frames.slice(-2);
    expect(malformed).toMatchObject({ command: "", success: false });
    expect(String(malformed?.["error"])).toStartWith("malformed json: ");
    expect("id" in (anonymous ?? {})).toBe(false);
  });

  test("a prompt is its response, its events and done", async () => {
    await using zot = await RpcProcess.start({ args: WIRE });
    zot.send({ id: "p", type: "prompt", message: 'call bash {"command":"echo hi"}' });
    await zot.until(({ type }) => type === "done");
    expect(types(zot)).toEqual([
      "response prompt",
      "user_message",
      "turn_start",
      "request_started",
      "assistant_start",
      "tool_use_start",
      "tool_use_args",
      "tool_use_args",
      "tool_use_end",
      "assistant_message",
      "usage",
      "turn_end",
      "tool_call",
      "tool_execution_started",
      "tool_progress",
      "tool_result",
      "turn_start",
      "request_started",
      "assistant_start",
      "text_delta",
      "assistant_message",
      "usage",
      "turn_end",
      "done",
    ]);
    expect(zot.frames[0]).toMatchObject({ id: "p", data: { started: true } });
    const { data } = await zot.ask({ id: "gm", type: "get_messages" });
    expect(data).toMatchObject({
      messages: [{ role: "user" }, { role: "assistant" }, { role: "tool" }, { role: "assistant" }],
    });
  });

  test("prompts wait for each other, an abort ends the running one alone, and a failure is an error before done", async () => {
    await using server = await startModelServer([
      { text: Array<string>(500).fill("tick "), pace: 20 },
      { text: "second" },
      { status: 400, error: { message: "no" } },
    ]);
    await using zot = await RpcProcess.start({ server, args: WIRE });
    for (const id of ["1", "2", "3"]) zot.send({ id, type: "prompt", message: id });
    await zot.until(({ type }) => type === "text_delta");
    expect(await zot.ask({ id: "a", type: "abort" })).toMatchObject({ success: true });
    expect(await zot.close()).toBe(0);
    const told = zot.ofType("response", "turn_end", "error", "done").map(({ type, id, stop }) => {
      return [type, stop ?? id].filter(Boolean).join(" ");
    });
    expect(told).toEqual([
      "response 1",
      "response a",
      "turn_end aborted",
      "done",
      "response 2",
      "turn_end end_turn",
      "done",
      "response 3",
      "turn_end error",
      "error",
      "done",
    ]);
  });

  test("clear waits for the running prompt and leaves nothing", async () => {
    await using zot = await RpcProcess.start({ args: WIRE });
    zot.send({ id: "p", type: "prompt", message: "say hi" });
    zot.send({ id: "c", type: "clear" });
    await zot.response("c");
    expect(await zot.ask({ id: "gm", type: "get_messages" })).toMatchObject({ data: { messages: [] } });
    expect(types(zot).indexOf("done")).toBeLessThan(types(zot).indexOf("response clear"));
  });

  test("compact tells its summary as it comes and has no done", async () => {
    await using server = await startModelServer([
      { text: "one" },
      { text: "two" },
      { text: "three" },
      { text: ["what ", "there was"] },
    ]);
    await using zot = await RpcProcess.start({ server, args: WIRE });
    for (const message of ["a", "b", "c"]) zot.send({ id: message, type: "prompt", message });
    zot.send({ id: "compact", type: "compact" });
    expect(await zot.close()).toBe(0);
    const at = zot.frames.findIndex(({ id }) => id === "compact");
    expect(zot.frames.slice(at)).toEqual([
      { type: "response", id: "compact", command: "compact", success: true, data: { started: true } },
      { type: "text_delta", delta: "what " },
      { type: "text_delta", delta: "there was" },
      { type: "compact_done", summary: "what there was" },
    ]);
  });

  test("with a token nothing is said before it was shown, and then the response comes first", async () => {
    await using zot = await RpcProcess.start({ ...withAsker, env: { ZOTCORE_RPC_TOKEN: "s3cret" } });
    zot.send({ id: "s", type: "get_state" });
    expect(await zot.response("s")).toMatchObject({ error: "auth required: send hello with token first" });
    expect(zot.frames).toHaveLength(1);
    zot.send({ id: "h", type: "hello", token: "s3cret" });
    await zot.until(({ type }) => type === "ext_notify");
    expect(types(zot)).toEqual(["response get_state", "response hello", "ext_notify"]);
    // Neither extensions nor tools may find it.
    zot.send({ id: "p", type: "prompt", message: 'call bash {"command":"env | grep -c RPC_TOKEN"}' });
    await zot.until(({ type }) => type === "done");
    expect(JSON.stringify(zot.ofType("tool_result"))).toContain("\\n0\\n");
  });

  test("a wrong token is refused and ends the process", async () => {
    await using zot = await RpcProcess.start({ args: WIRE, env: { ZUTCORE_RPC_TOKEN: "s3cret" } });
    expect(await zot.ask({ id: "h", type: "hello", token: "s3cre" })).toMatchObject({ error: "invalid token" });
    expect(await zot.exited).toBe(1);
  });

  test("what extensions show are events; panels and questions are for clients that asked for them", async () => {
    await using zot = await RpcProcess.start(withAsker);
    for (const message of ["/chrome", "/panel", "/ui-confirm", "/show"]) {
      const from = zot.frames.length;
      zot.send({ id: message, type: "prompt", message });
      await zot.until(({ type }) => type === "done", "done", from);
    }
    await zot.close();
    const own = zot.frames.filter(({ type }) => type.startsWith("ext_"));
    expect(own.map(({ type, text }) => (type === "ext_status" ? `${type} ${String(text)}` : type))).toEqual([
      "ext_notify",
      "ext_notify",
      "ext_status busy",
      "ext_widget",
      "ext_alert",
      "ext_clear_notes",
      "ext_status ",
      "ext_widget_clear",
      // The extension is told that its panel is closed at once, and says so.
      "ext_notify",
      "ext_notify",
      "ext_display",
      "ext_chrome_clear",
    ]);
    expect(zot.ofType("extension_ui_request", "ext_panel")).toEqual([]);
    expect(zot.ofType("error")).toHaveLength(1);
  });

  test("a client that says so gets panels and questions", async () => {
    await using zot = await RpcProcess.start(withAsker);
    await zot.ask({ id: "h", type: "hello", features: ["panels", "ui"] });
    zot.send({ id: "1", type: "prompt", message: "/panel" });
    expect(await zot.until(({ type }) => type === "ext_panel")).toMatchObject({ event: "open", panel: { id: "p" } });
    await zot.ask({ id: "k", type: "panel_key", key: "up" });
    await zot.until(({ message }) => String(message).includes("panel_key"));
    zot.send({ id: "2", type: "prompt", message: "/ui-confirm" });
    const { id } = await zot.until(({ method }) => method === "confirm");
    zot.send({ type: "extension_ui_response", id, confirmed: true });
    expect(await zot.until(({ message }) => message === 'RESULT {"confirm":true}')).toBeDefined();
  });

  test("tools that need approval do not run where nobody can be asked", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server, args: [...WIRE, "--no-yolo"] });
    zot.send({ id: "p", type: "prompt", message: 'TOOL:bash:{"command":"echo ran"}END' });
    await zot.until(({ type }) => type === "done");
    expect(zot.ofType("tool_result")).toMatchObject([{ is_error: true }]);
    expect(JSON.stringify(zot.ofType("tool_result"))).toContain("requires approval");
    await zot.ask({ id: "h", type: "hello", features: ["ui"] });
    zot.send({ id: "p2", type: "prompt", message: 'TOOL:bash:{"command":"echo ran"}END' });
    const { id } = await zot.until(({ method }) => method === "select");
    zot.send({ type: "extension_ui_response", id, value: "Approve" });
    await zot.until(({ type, is_error: isError }) => type === "tool_result" && isError === false);
  });
});
