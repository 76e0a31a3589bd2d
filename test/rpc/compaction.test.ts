import { describe, expect, test } from "bun:test";
import { startModelServer } from "../support/model-server.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { RpcProcess } from "./support/rpc-process.ts";

const TOO_LONG = {
  status: 400,
  error: {
    message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    code: "context_length_exceeded",
  },
};

async function say(zot: RpcProcess, ...messages: readonly string[]): Promise<void> {
  for (const message of messages) {
    zot.send({ id: message, type: "prompt", message });
    await zot.result(message);
  }
}

describe.skipIf(!zotIsBuilt)("compaction over rpc", () => {
  test("a conversation that is asked to be short becomes a summary and its last messages", async () => {
    await using server = await startModelServer([
      { text: "one" },
      { text: "two" },
      { text: "three" },
      { text: "what there was" },
      { text: "four" },
    ]);
    await using zot = await RpcProcess.start({ server });
    expect(await zot.ask({ id: "early", type: "compact" })).toMatchObject({
      success: false,
      error: "Nothing to compact (session too small)",
    });
    await say(zot, "a", "b", "c");
    const { data } = await zot.ask({ id: "compact", type: "compact", customInstructions: "mind the gap" });
    expect(data).toMatchObject({ summary: "what there was", tokensBefore: expect.any(Number) });
    const asked = JSON.stringify(server.requests[3]?.json);
    expect(asked).toContain("mind the gap");
    expect(asked).not.toContain('"three"');

    const entries = await zot.ask({ id: "e", type: "get_entries" });
    const kept = JSON.stringify(entries["data"]);
    expect(kept).toContain("## Context Summary (compacted)");
    expect(kept).not.toContain('"text":"one"');
    expect(kept).toContain('"text":"three"');
    // The id of the first message that stayed is still its id.
    const { firstKeptEntryId } = { firstKeptEntryId: "", ...(data instanceof Object ? data : {}) };
    expect(kept).toContain(`"id":"${firstKeptEntryId}"`);
    await say(zot, "d");
    expect(JSON.stringify(server.requests[4]?.json)).toContain("what there was");
  });

  test("a prompt that comes meanwhile waits for its end, and an abort ends it", async () => {
    await using server = await startModelServer([
      { text: "one" },
      { text: "two" },
      { text: "three" },
      { delay: "forever" },
      { text: "after" },
    ]);
    await using zot = await RpcProcess.start({ server });
    await say(zot, "a", "b", "c");
    zot.send({ id: "compact", type: "compact" });
    await server.until((requests) => requests.length === 4);
    expect(await zot.ask({ id: "s", type: "get_state" })).toMatchObject({
      data: { isCompacting: true, isStreaming: false },
    });
    await zot.ask({ id: "d", type: "prompt", message: "d" });
    await zot.ask({ id: "x", type: "abort" });
    expect(await zot.response("compact")).toMatchObject({ success: false, error: "Compaction cancelled" });
    // What waits behind an abort is the user's to say again, or to take back.
    await zot.ask({ id: "p", type: "promote_queued_message", message: "d" });
    expect(await zot.result("d")).toMatchObject({ status: "completed" });
  });

  test("a request that a service refuses as too long is sent again behind a compaction", async () => {
    await using server = await startModelServer([
      { text: "one" },
      { text: "two" },
      TOO_LONG,
      { text: "what there was" },
      { text: "three" },
    ]);
    await using zot = await RpcProcess.start({ server });
    await say(zot, "a", "b", "c");
    expect(await zot.result("c")).toMatchObject({ status: "completed", agentInvoked: true });
    const told = zot.ofType("auto_compaction_start", "auto_compaction_end");
    expect(told).toMatchObject([
      { type: "auto_compaction_start", reason: "overflow", action: "context-full" },
      { type: "auto_compaction_end", aborted: false, willRetry: true, result: { summary: "what there was" } },
    ]);
    expect(zot.ofType("agent_end")).toHaveLength(3);
  });

  test("without automatic compaction such a request has failed", async () => {
    await using server = await startModelServer([{ text: "one" }, { text: "two" }, TOO_LONG]);
    await using zot = await RpcProcess.start({ server });
    await zot.ask({ id: "off", type: "set_auto_compaction", enabled: false });
    await say(zot, "a", "b", "c");
    expect(await zot.result("c")).toMatchObject({ status: "error", error: { retryable: false } });
    expect(zot.ofType("auto_compaction_start")).toEqual([]);
  });

  test("a conversation that fills the window is compacted before the next prompt", async () => {
    const usage = { prompt_tokens: 5_000_000, completion_tokens: 5, total_tokens: 5_000_005 };
    await using server = await startModelServer([
      { text: "one" },
      { text: "two" },
      { text: "three", usage },
      { text: "what there was" },
      { text: "four" },
    ]);
    await using zot = await RpcProcess.start({ server, args: ["--model", "gpt-6.2-sol"] });
    await say(zot, "a", "b", "c", "d");
    expect(zot.ofType("auto_compaction_start")).toMatchObject([{ reason: "threshold" }]);
    expect(await zot.result("d")).toMatchObject({ status: "completed" });
  });
});
