import { describe, expect, test } from "bun:test";
import { startModelServer } from "../support/model-server.ts";
import { ask, joined, openAt, VENDORS } from "./asking.ts";

describe.each(VENDORS)("an answer of %s", (vendor) => {
  test("comes as deltas and then as one message", async () => {
    await using server = await startModelServer([{ thinking: "hm, so", text: ["Hel", "lo ", "wörld 🦊"] }], {
      strict: true,
    });
    const model = await openAt(server, vendor);
    const answer = await ask(model);
    expect(joined(answer.events, "reasoning_delta")).toBe("hm, so");
    expect(joined(answer.events, "text_delta")).toBe("Hello wörld 🦊");
    expect(answer.text).toBe("Hello wörld 🦊");
    expect(answer.message.content.map((block) => block.type)).toEqual(["reasoning", "text"]);
    expect(answer.message).toMatchObject({ role: "assistant", provider: vendor, model: "fake" });
    expect(answer.stop).toBe("end_turn");
  });

  test("says what was sent: prompt, tools, key, and who we are", async () => {
    await using server = await startModelServer([{ text: "ok" }], { strict: true });
    await ask(await openAt(server, vendor), "hello there");
    const [request] = server.requests;
    expect(request?.headers["user-agent"]).toBe("zot/test");
    expect(request?.headers[vendor === "openai" ? "authorization" : "x-api-key"]).toContain("sk-test-");
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith("x-stainless"))).toEqual([]);
    expect(request?.path).toBe(vendor === "openai" ? "/v1/chat/completions" : "/v1/messages");
    expect(request?.body).toContain("hello there");
    expect(request?.body).toContain("Be brief.");
    expect(request?.at(vendor === "openai" ? "tools.0.function.name" : "tools.0.name")).toBe("read");
  });

  test("counts tokens; reasoning is null when the service does not count it", async () => {
    const usage =
      vendor === "openai"
        ? { prompt_tokens: 100, completion_tokens: 20, prompt_tokens_details: { cached_tokens: 60 } }
        : { input_tokens: 40, output_tokens: 20, cache_read_input_tokens: 60, cache_creation_input_tokens: 5 };
    const counted =
      vendor === "openai"
        ? { ...usage, completion_tokens_details: { reasoning_tokens: 9 } }
        : { ...usage, output_tokens_details: { thinking_tokens: 9 } };
    await using server = await startModelServer([
      { text: "a", usage },
      { text: "b", usage: counted },
      { text: "c", usage: null },
    ]);
    const model = await openAt(server, vendor);
    const cacheWrite = vendor === "openai" ? 0 : 5;
    const expected = { input: 40, output: 20, cacheRead: 60, cacheWrite, costUsd: 0 };
    expect((await ask(model)).usage).toEqual({ ...expected, reasoning: null });
    expect((await ask(model)).usage).toEqual({ ...expected, reasoning: 9 });
    expect((await ask(model)).usage.reasoning).toBeNull();
  });

  test("costs what the catalogue says", async () => {
    const id = vendor === "openai" ? "gpt-4.1" : "claude-sonnet-4-5";
    const usage = vendor === "openai" ? { prompt_tokens: 1_000_000 } : { input_tokens: 1_000_000 };
    await using server = await startModelServer([{ text: "a", usage }]);
    const answer = await ask(await openAt(server, vendor, { model: id }));
    expect(answer.usage.costUsd).toBeGreaterThan(1);
    expect(answer.usage.costUsd).toBeLessThan(20);
  });

  test("that is cut off by the token limit says so", async () => {
    await using server = await startModelServer([
      { text: "half", finish: vendor === "openai" ? "length" : "max_tokens" },
    ]);
    expect((await ask(await openAt(server, vendor))).stop).toBe("length");
  });

  test("with calls stops for tools even when the service says it is done", async () => {
    const finish = vendor === "openai" ? "stop" : "end_turn";
    await using server = await startModelServer([{ calls: [{ name: "read", args: {} }], finish }]);
    expect((await ask(await openAt(server, vendor))).stop).toBe("tool_use");
  });

  test.each([
    { chunk: 1 },
    { chunk: 7 },
    { chunk: 3, eol: "\r\n" },
    { chunk: 1, eol: "\r\n" },
    { eol: "\r" },
    { chunk: "inside-characters" },
    { byteOrderMark: true },
    { comments: 3 },
    { pings: true },
    { splitData: true },
    { prelude: "event: junk\ndata: x\n\n: hello\n\nretry: 10\n\n" },
    { framing: "close" },
    { contentType: "text/plain" },
    { contentType: "application/json" },
  ] as const)("is whole however it is spelled and cut: %j", async (spelling) => {
    const text = "Grüße, 世界 🦊 — ".repeat(4);
    const calls = [{ name: "read", args: { path: "ü/🦊" }, fragment: 5 }];
    await using server = await startModelServer([{ text: [text, "end"], calls, ...spelling }]);
    const answer = await ask(await openAt(server, vendor));
    expect(answer.text).toBe(`${text}end`);
    expect(answer.calls.map((call) => call.arguments)).toEqual(['{"path":"ü/🦊"}']);
  });

  test("is over when it says so, though the connection stays open", async () => {
    await using server = await startModelServer([{ text: "done", keepOpen: true }]);
    expect((await ask(await openAt(server, vendor))).text).toBe("done");
  });

  test("without text is a message without blocks", async () => {
    await using server = await startModelServer([{}]);
    const answer = await ask(await openAt(server, vendor));
    expect(answer.message.content).toEqual([]);
    expect(answer.stop).toBe("end_turn");
  });
});

test("an answer of a compatible server without [DONE] is whole when it has a finish reason", async () => {
  await using server = await startModelServer([
    { text: "fine", done: false },
    { text: "fine too", done: false, usage: null, framing: "close" },
  ]);
  const model = await openAt(server, "openai");
  expect((await ask(model)).text).toBe("fine");
  expect((await ask(model)).text).toBe("fine too");
});

test("a reset after the finish reason does no harm", async () => {
  await using server = await startModelServer([{ text: "fine", done: false, drop: { afterEvents: 3 }, reset: true }]);
  expect((await ask(await openAt(server, "openai"))).text).toBe("fine");
});

test("text that Messages puts into the start of a block is not lost", async () => {
  const events = [
    { type: "message_start", message: { id: "m", model: "fake", content: [] } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "Start " } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "and rest" } },
    { type: "content_block_stop", index: 0 },
    {
      type: "content_block_start",
      index: 1,
      content_block: { type: "tool_use", id: "t1", name: "read", input: { n: 1 } },
    },
    { type: "content_block_stop", index: 1 },
    { type: "message_delta", delta: { stop_reason: "new_reason" }, usage: { output_tokens: 3 } },
    { type: "message_stop" },
  ];
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  await using server = await startModelServer([{ body: body.replace('{"n":1}', '{"n":9007199254740993}') }]);
  const answer = await ask(await openAt(server, "anthropic"));
  expect(joined(answer.events, "text_delta")).toBe("Start and rest");
  expect(answer.text).toBe("Start and rest");
  expect(answer.calls[0]?.arguments).toBe('{"n":9007199254740993}');
  expect(answer.usage.output).toBe(3);
});
