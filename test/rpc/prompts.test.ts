import { describe, expect, test } from "bun:test";
import { startModelServer } from "../support/model-server.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { type Frame, RpcProcess } from "./support/rpc-process.ts";
import { scriptedModel } from "./support/scripted-model.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Types of the frames that tell how a prompt went, in order. */
function course(zot: RpcProcess): string[] {
  const told = zot.ofType("response", "agent_start", "agent_end", "prompt_result", "session_settled");
  return told.map(({ type, id, command, status }) => [type, command ?? status, id].filter(Boolean).join(" "));
}

describe.skipIf(!zotIsBuilt)("prompts over rpc", () => {
  test("one that comes while something runs is refused once, and has no result", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    zot.send({ id: "a", type: "prompt", message: "HANG" });
    zot.send({ id: "b", type: "prompt", message: "second" });
    expect(await zot.response("b")).toMatchObject({ success: false });
    await zot.ask({ id: "x", type: "abort" });
    await zot.close();
    expect(course(zot)).toEqual([
      "response prompt a",
      "agent_start",
      "response prompt b",
      "agent_end",
      "response abort x",
      "prompt_result aborted a",
      "session_settled",
    ]);
  });

  test("every accepted one has exactly one result, however they race with aborts", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    for (let round = 0; round < 15; round += 1) {
      zot.send({ id: `${round}p1`, type: "prompt", message: "HANG" });
      zot.send({ id: `${round}p2`, type: "prompt", message: "hi" });
      zot.send({ id: `${round}p3`, type: "prompt", message: "hi", streamingBehavior: "followUp" });
      zot.send({ id: `${round}p4`, type: "prompt", message: "hi", streamingBehavior: "steer" });
      if (round % 3 > 0) await zot.response(`${round}p1`);
      if (round % 3 > 1) await zot.until(({ type }) => type === "message_update", "an update", zot.frames.length - 1);
      zot.send({ id: `${round}a`, type: "abort" });
      zot.send({ id: `${round}p5`, type: "prompt", message: "hi" });
      zot.send({ id: `${round}ap`, type: "abort_and_prompt", message: "hi" });
      if (round % 5 === 4) zot.send({ id: `${round}n`, type: "new_session" });
      await zot.result(`${round}ap`);
    }
    const state = await zot.ask({ id: "s", type: "get_state" });
    expect(state).toMatchObject({ data: { isStreaming: false } });
    await zot.close();
    const accepted = zot
      .ofType("response")
      .filter(({ command, success }) => /prompt$/.test(String(command)) && success);
    const results = zot.ofType("prompt_result").map(({ id }) => String(id));
    expect(results.toSorted()).toEqual(accepted.map(({ id }) => String(id)).toSorted());
    expect(new Set(results).size).toBe(results.length);
  });

  test("what waits can be seen, taken back, moved, and restored with an abort", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    zot.send({ id: "h", type: "prompt", message: "HANG" });
    await zot.until(({ type }) => type === "message_update");
    for (const message of ["one", "two", "two"]) zot.send({ id: message, type: "follow_up", message });
    await zot.ask({ id: "st", type: "steer", message: "now" });
    const data = async (id: string, fields: object): Promise<unknown> => (await zot.ask({ id, ...fields }))["data"];
    expect(await data("s1", { type: "get_state" })).toMatchObject({
      queuedMessageCount: 4,
      queuedMessages: { steering: ["now"], followUp: ["one", "two", "two"] },
    });
    const remove = { type: "remove_queued_message", queue: "followUp" };
    expect(await data("r1", { ...remove, message: "two", match: "last" })).toEqual({ removed: true });
    expect(await data("r2", { ...remove, message: "nobody said this" })).toEqual({ removed: false });
    expect(await data("pr", { type: "promote_queued_message", message: "one" })).toEqual({ promoted: true });
    expect(await data("s2", { type: "get_state" })).toMatchObject({
      queuedMessages: { steering: ["now", "one"], followUp: ["two"] },
    });
    expect(await data("ar", { type: "abort_and_restore_queue" })).toEqual({
      steering: [
        { text: "now", images: [] },
        { text: "one", images: [] },
      ],
      followUp: [{ text: "two", images: [] }],
    });
    expect(await zot.result("h")).toMatchObject({ status: "aborted", sessionSettled: true });
  });

  test("what waits behind an abort goes on when it is promoted", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    zot.send({ id: "h", type: "prompt", message: "HANG" });
    await zot.until(({ type }) => type === "message_update");
    await zot.ask({ id: "q", type: "prompt", message: "later", streamingBehavior: "followUp" });
    await zot.ask({ id: "a", type: "abort" });
    await zot.ask({ id: "pr", type: "promote_queued_message", message: "later" });
    expect(await zot.result("q")).toMatchObject({ status: "completed", sessionSettled: true });
  });

  test("a repeated request is told as such, and ends well", async () => {
    await using server = await startModelServer([{ status: 503, error: { message: "busy" } }, { text: "there" }]);
    await using zot = await RpcProcess.start({ server });
    zot.send({ id: "p", type: "prompt", message: "hi" });
    expect(await zot.result("p")).toMatchObject({ status: "completed" });
    expect(zot.ofType("auto_retry_start")).toMatchObject([{ attempt: 1, delayMs: 500 }]);
    expect(zot.ofType("auto_retry_end")).toEqual([{ type: "auto_retry_end", success: true, attempt: 1 }]);
  });

  test("without retries, the first failure is the last", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    await zot.ask({ id: "r", type: "set_auto_retry", enabled: false });
    zot.send({ id: "p", type: "prompt", message: "FAIL503" });
    expect(await zot.result("p")).toMatchObject({
      status: "error",
      error: { provider: "openai", model: "fake", httpStatus: 503, retryable: true },
    });
    expect(zot.ofType("auto_retry_start")).toEqual([]);
  });

  test("a spending limit keeps the next request from being sent", async () => {
    const usage = { prompt_tokens: 1_000_000, completion_tokens: 1_000_000, total_tokens: 2_000_000 };
    await using server = await startModelServer([{ text: "dear", usage, times: 5 }]);
    const args = ["--model", "gpt-6.2-sol", "--max-cost", "0.01"];
    await using zot = await RpcProcess.start({ server, args });
    zot.send({ id: "p1", type: "prompt", message: "hi" });
    expect(await zot.result("p1")).toMatchObject({ status: "completed" });
    zot.send({ id: "p2", type: "prompt", message: "again" });
    expect(await zot.result("p2")).toMatchObject({ status: "error", error: { code: "cost_cap", retryable: false } });
    expect(server.requests).toHaveLength(1);
    const kinds = zot.ofType("agent_end").map(({ messages }) => (Array.isArray(messages) ? messages.length : 0));
    expect(kinds).toEqual([2, 2]);
  });

  test("pictures are made fit for the model, or refused before anything is said", async () => {
    await using server = await startModelServer([{ text: "a dot" }], { strict: true });
    await using zot = await RpcProcess.start({ server });
    const send = (id: string, data: string): Promise<Frame> => {
      const images = [{ type: "image", data, mimeType: "image/jpeg" }];
      return zot.ask({ id, type: "prompt", message: id === "ok" ? "" : "look", images });
    };
    for (const [id, data] of [
      ["junk", "zzz!"],
      ["text", Buffer.from("no picture").toString("base64")],
      ["empty", ""],
    ] as const) {
      const answer = await send(id, data);
      expect(answer).toMatchObject({ success: false });
      expect(String(answer["error"])).toStartWith("image: ");
    }
    expect(await send("ok", `data:image/jpeg;base64,${PNG}`)).toMatchObject({ success: true });
    expect(await zot.result("ok")).toMatchObject({ status: "completed" });
    // The bytes say what it is, not the client.
    expect(JSON.stringify(server.requests[0]?.json)).toContain(`data:image/png;base64,${PNG}`);
  });

  test("parameters that are wrong are refused with a text that names them", async () => {
    await using zot = await RpcProcess.start();
    for (const [fields, text] of [
      [{ type: "prompt" }, "message"],
      [{ type: "prompt", message: "  " }, "message"],
      [{ type: "prompt", message: "x", streamingBehavior: "now" }, "streamingBehavior"],
      [{ type: "steer", message: 5 }, "message"],
      [{ type: "set_model", provider: "offline" }, "modelId"],
      [{ type: "set_thinking_level", level: "very" }, "level"],
      [{ type: "set_steering_mode", mode: "x" }, "mode"],
      [{ type: "set_interrupt_mode" }, "mode"],
      [{ type: "set_auto_retry", enabled: "yes" }, "enabled"],
      [{ type: "bash" }, "command"],
      [{ type: "switch_session" }, "sessionPath"],
      [{ type: "branch", entryId: "nope" }, "entry"],
      [{ type: "set_event_filter", events: ["a"], messageUpdates: "some" }, "messageUpdates"],
      [{ type: "remove_queued_message", message: "x", queue: "other" }, "queue"],
      [{ type: "btw", question: " " }, "question"],
    ] as const) {
      const answer = await zot.ask({ id: JSON.stringify(fields), ...fields });
      expect(answer).toMatchObject({ command: fields.type, success: false });
      expect(String(answer["error"])).toContain(text);
    }
  });
});
