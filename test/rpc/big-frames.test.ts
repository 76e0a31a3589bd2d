import { describe, expect, test } from "bun:test";
import { ChunkReader } from "../../src/client/chunk-reader.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { type Frame, RpcProcess } from "./support/rpc-process.ts";
import { scriptedModel } from "./support/scripted-model.ts";
import { isRecord } from "./support/shape.ts";

const MiB = 1024 * 1024;
const TOOL = {
  name: "big_host",
  description: "gives a lot",
  parameters: { type: "object", properties: { message: { type: "string" } } },
  loadMode: "essential",
};

/** The frame that a run of `rpc_chunk`s carries; throws when they break a rule of the wire. */
function assembled(chunks: readonly Frame[]): unknown {
  const reader = new ChunkReader();
  const texts = chunks.map((chunk) => reader.take(chunk)).filter((text) => text !== undefined);
  expect(texts).toHaveLength(1);
  return JSON.parse(texts[0] ?? "");
}

/** Answers the call of `big_host` with details of 1.3 MB; inbound lines know no chunks. */
async function answerBig(zot: RpcProcess): Promise<void> {
  const { id } = await zot.until(({ type }) => type === "host_tool_call");
  const details = { blob: "y".repeat(1_300_000), list: [0, 1, 2] };
  zot.send({ type: "host_tool_result", id, result: { content: [{ type: "text", text: "small" }], details } });
}

describe.skipIf(!zotIsBuilt)("frames that are too long for a line", () => {
  test("protocol 1 cuts events and says where, refuses responses, and never passes a mebibyte", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    await zot.ask({ id: "ht", type: "set_host_tools", tools: [TOOL] });
    zot.send({ id: "p", type: "prompt", message: 'TOOL:big_host:{"message":"x"}END' });
    await answerBig(zot);
    await zot.result("p");

    const end = await zot.until(({ type }) => type === "tool_execution_end");
    const blob = isRecord(end["result"]) && isRecord(end["result"]["details"]) ? end["result"]["details"]["blob"] : "";
    expect(String(blob)).toMatch(/^y+\n…\[\d+ chars elided for RPC frame\]$/);
    expect(String(blob)).toContain(`${1_300_000 - 256 * 1024} chars`);

    // What the client has already is left out first.
    const agentEnd = await zot.until(({ type }) => type === "agent_end");
    expect(agentEnd["messageCount"]).toBe(4);
    expect(Array.isArray(agentEnd["messages"]) && agentEnd["messages"].length).toBe(2);

    expect(await zot.ask({ id: "gm", type: "get_messages" })).toEqual({
      type: "response",
      id: "gm",
      command: "get_messages",
      success: false,
      error: "RPC response exceeded the transport limit",
    });
    const lines = zot.rawText.split("\n");
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line) + 1))).toBeLessThanOrEqual(MiB);
  });

  test("protocol 2 splits them by the rules, and they come out as they went in", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    expect(await zot.ask({ id: "n", type: "negotiate_protocol", protocolVersion: 2 })).toMatchObject({
      data: { protocolVersion: 2 },
    });
    await zot.ask({ id: "f", type: "set_event_filter", events: ["agent_end"] });
    await zot.ask({ id: "ht", type: "set_host_tools", tools: [TOOL] });
    // Characters of several bytes, so that the cuts go through some of them.
    zot.send({ id: "p", type: "prompt", message: "BIG:1400000" });
    await zot.result("p");
    const before = zot.ofType("rpc_chunk").length;
    zot.send({ id: "gm", type: "get_messages" });
    zot.send({ id: "last", type: "get_last_assistant_text" });
    await zot.close();

    const chunks = zot.ofType("rpc_chunk").slice(before);
    const ids = [...new Set(chunks.map(({ chunkId }) => chunkId))];
    const [first, second] = ids.map((id) => assembled(chunks.filter(({ chunkId }) => chunkId === id)));
    expect(first).toMatchObject({ type: "response", id: "gm", command: "get_messages", success: true });
    expect(second).toMatchObject({ type: "response", id: "last", success: true });
    expect(Buffer.byteLength(JSON.stringify(second))).toBeGreaterThan(1_400_000);
    expect(JSON.stringify(second)).not.toContain("\ufffd");
    // Nothing may stand between the pieces of one frame.
    const types = zot.frames.map(({ type, chunkId }) => (type === "rpc_chunk" ? String(chunkId) : type));
    for (const id of ids)
      expect(types.lastIndexOf(String(id)) - types.indexOf(String(id)) + 1).toBe(
        types.filter((type) => type === id).length,
      );
  });

  test("what asks something of the client is never cut: it fails in protocol 1 and comes whole in 2", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    await zot.ask({ id: "f", type: "set_event_filter", events: ["agent_end"] });
    await zot.ask({ id: "ht", type: "set_host_tools", tools: [TOOL] });
    const message = "z".repeat(1_200_000);
    zot.send({ id: "p1", type: "prompt", message: `TOOL:big_host:${JSON.stringify({ message })}END` });
    expect(await zot.result("p1")).toMatchObject({ status: "completed" });
    expect(zot.ofType("host_tool_call")).toEqual([]);

    await zot.ask({ id: "n", type: "negotiate_protocol", protocolVersion: 2 });
    const before = zot.frames.length;
    zot.send({ id: "p2", type: "prompt", message: `TOOL:big_host:${JSON.stringify({ message })}END` });
    await zot.until(({ type, index, count }) => type === "rpc_chunk" && index === Number(count) - 1, "chunks", before);
    const call = assembled(zot.frames.slice(before).filter(({ type }) => type === "rpc_chunk"));
    expect(call).toMatchObject({ type: "host_tool_call", toolName: "big_host", arguments: { message } });
    const content = [{ type: "text", text: "small" }];
    zot.send({ type: "host_tool_result", id: isRecord(call) ? call["id"] : undefined, result: { content } });
    expect(await zot.result("p2")).toMatchObject({ status: "completed" });
  });

  test("only 2 can be asked for, and a refusal leaves the protocol as it is", async () => {
    await using zot = await RpcProcess.start();
    for (const protocolVersion of [3, 1, "2", undefined]) {
      const answer = await zot.ask({ id: `v${protocolVersion}`, type: "negotiate_protocol", protocolVersion });
      expect(answer).toMatchObject({ success: false });
      expect(String(answer["error"])).toStartWith("Unsupported RPC protocol version: ");
    }
    for (const id of ["first", "again"]) {
      expect(await zot.ask({ id, type: "negotiate_protocol", protocolVersion: 2 })).toMatchObject({ success: true });
    }
  });

  test("a history of 25 MB comes through protocol 2", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    await zot.ask({ id: "n", type: "negotiate_protocol", protocolVersion: 2 });
    await zot.ask({ id: "f", type: "set_event_filter", events: ["agent_end"], messageUpdates: "delta" });
    for (let turn = 0; turn < 5; turn += 1) {
      zot.send({ id: `p${turn}`, type: "prompt", message: "BIG:5000000" });
      await zot.result(`p${turn}`);
    }
    const before = zot.ofType("rpc_chunk").length;
    zot.send({ id: "gm", type: "get_messages" });
    zot.send({ id: "after", type: "abort" });
    await zot.response("after");
    const chunks = zot.ofType("rpc_chunk").slice(before);
    const history = assembled(chunks);
    expect(history).toMatchObject({ id: "gm", success: true });
    expect(Buffer.byteLength(JSON.stringify(history))).toBeGreaterThan(25_000_000);
    // Page by page it goes in protocol 1, too.
    const page = await zot.ask({ id: "page", type: "get_messages_page", limit: 1 });
    expect(page).toMatchObject({ success: true, data: { totalMessages: 10 } });
  });
});
