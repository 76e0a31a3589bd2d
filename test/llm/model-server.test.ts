import { describe, expect, test } from "bun:test";
import { type ModelServer, startModelServer } from "../support/model-server.ts";

async function post(server: ModelServer, path: string, body: unknown): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return await fetch(`http://127.0.0.1:${server.port}${path}`, { method: "POST", body: text, proxy: false });
}

const tool = (name: string, schema: unknown = { type: "object", properties: {} }): object => ({
  name,
  input_schema: schema,
});
const use = { type: "tool_use", id: "t", name: "read", input: {} };
const result = { type: "tool_result", tool_use_id: "t", content: "x" };

describe("the strict model server refuses what Anthropic refuses", () => {
  const good = { stream: true, max_tokens: 5, messages: [{ role: "user", content: "hi" }] };
  const messages = (...all: object[]): object => ({ ...good, messages: [good.messages[0], ...all] });
  test.each([
    [{ ...good, max_tokens: undefined }, "max_tokens"],
    [{ ...good, messages: [] }, "at least one message"],
    [{ ...good, messages: [{ role: "assistant", content: "hi" }] }, "first message"],
    [{ ...good, messages: [{ role: "user", content: " " }] }, "must hold text"],
    [{ ...good, system: [{ type: "text", text: "" }] }, "must hold text"],
    [{ ...good, tools: [tool("a.b")] }, "not allowed"],
    [{ ...good, tools: [tool("a"), tool("a")] }, "given twice"],
    [{ ...good, tools: [tool("a", { type: "string", properties: {} })] }, "of type string"],
    [{ ...good, tools: [tool("a", { type: "object", properties: {}, anyOf: [] })] }, "anyOf"],
    [messages({ role: "assistant", content: [use] }), "without a tool_result"],
    [messages({ role: "user", content: [result] }), "was not called"],
    [
      messages({ role: "assistant", content: [{ ...use, input: "x" }] }, { role: "user", content: [result] }),
      "not an object",
    ],
    [messages({ role: "assistant", content: [{ ...use, name: "" }] }, { role: "user", content: [result] }), "name"],
    [messages({ role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "s" }] }), "final block"],
    [
      messages({ role: "user", content: [{ type: "image", source: { media_type: "image/png", data: "AAAA" } }] }),
      "match",
    ],
    ['{"stream":true,"max_tokens":5,"messages":[{"role":"user","content":"\\ud800"}]}', "surrogate"],
    ["{", "not a JSON object"],
  ])("%j", async (body, problem) => {
    await using server = await startModelServer([{ text: "ok" }], { strict: true });
    const response = await post(server, "/v1/messages", body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(problem);
  });

  test("and takes what is right", async () => {
    await using server = await startModelServer([{ text: "ok" }], { strict: true });
    const body = messages({ role: "assistant", content: [use] }, { role: "user", content: [result] });
    expect((await post(server, "/v1/messages?beta=true", { ...body, tools: [tool("read")] })).status).toBe(200);
  });
});

describe("the strict model server refuses what OpenAI refuses", () => {
  const good = { stream: true, messages: [{ role: "user", content: "hi" }] };
  const messages = (...all: object[]): object => ({ ...good, messages: [good.messages[0], ...all] });
  const called = (id: string, name = "read", args = "{}"): object => ({ id, function: { name, arguments: args } });
  const calls = (...all: object[]): object => ({ role: "assistant", content: null, tool_calls: all });
  const answered = (id: string): object => ({ role: "tool", tool_call_id: id, content: "x" });
  test.each([
    [messages(calls(called("a"))), "without results: a"],
    [messages(calls(called("a")), { role: "user", content: "x" }), "without results: a"],
    [messages(answered("a")), "without a call"],
    [messages(calls(called("a"), called("a")), answered("a")), "one id"],
    [messages(calls(called("a", "r.d")), answered("a")), "name that is not allowed"],
    [messages(calls(called("a", "read", "[1]")), answered("a")), "not an object"],
    [messages(calls(called("a", "read", "{")), answered("a")), "not an object"],
    [messages(calls(called("x".repeat(41))), answered("x".repeat(41))), "id"],
    [messages({ role: "assistant", content: null }), "without content"],
    [messages({ role: "user", content: [{ type: "text", text: "" }] }), "empty text"],
    [{ ...good, tools: [{ function: { name: "a", parameters: { type: "object" } } }] }, "no properties"],
    [{ ...good, stream: false }, "stream"],
  ])("%j", async (body, problem) => {
    await using server = await startModelServer([{ text: "ok" }], { strict: true });
    const response = await post(server, "/v1/chat/completions", body);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(problem);
  });
});

describe("the model server", () => {
  test("serves its turns in order, matching ones first, repeated ones as often as they say", async () => {
    await using server = await startModelServer([
      { text: "one", times: 2 },
      { text: "special", match: "magic" },
      (request) => ({ text: `model ${String(request.at("model"))}` }),
    ]);
    const texts = [];
    for (const content of ["a", "magic", "b", "c", "d"]) {
      const body = { model: "m", stream: true, messages: [{ role: "user", content }] };
      texts.push(await (await post(server, "/v1/chat/completions", body)).text());
    }
    const expected = ['"one"', '"special"', '"one"', '"model m"', "script of the model server is over"];
    for (const [position, text] of texts.entries()) expect(text).toContain(expected[position] ?? "");
  });

  test("records what it was asked and answers 404 to the rest", async () => {
    await using server = await startModelServer([{ text: "x" }]);
    await (await post(server, "/v1/messages", { model: "m" })).text();
    expect(server.requests[0]).toMatchObject({ protocol: "messages", json: { model: "m" }, aborted: false });
    expect(server.requests[0]?.problems).toContain("stream is not true");
    expect((await post(server, "/v1/nothing", {})).status).toBe(404);
    expect(server.requests).toHaveLength(1);
  });
});
