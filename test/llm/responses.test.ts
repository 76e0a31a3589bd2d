import { describe, expect, test } from "bun:test";
import { openModel } from "../../src/llm/open.ts";
import { loadProvider } from "../../src/llm/pi/providers.ts";
import { ServiceModel } from "../../src/llm/pi/service-model.ts";
import type { Model } from "../../src/llm/port.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { ask, failure, KEY, user } from "./asking.ts";

/** The vendor's own API of OpenAI, which an address of the user's never selects, here at the scripted server. */
async function openAtVendor(server: ModelServer): Promise<Model> {
  const provider = await loadProvider("openai");
  const spec = provider?.getModels().find((model) => model.id === "gpt-5");
  if (provider === undefined || spec === undefined) throw new Error("the catalogue has no gpt-5");
  expect(spec.api).toBe("openai-responses");
  return new ServiceModel({
    spec: { ...spec, baseUrl: server.url("openai") },
    isKnown: true,
    streams: provider,
    credentials: { apiKey: KEY, headers: {}, source: "--api-key", secrets: [KEY], isKeyless: false },
    userAgent: "zot/test",
    env: {},
    idleTimeoutMs: 5_000,
  });
}

describe("OpenAI's own API", () => {
  test("is the one that is spoken without an address", async () => {
    await openModel({ provider: "openai", apiKey: KEY, userAgent: "zot/test", env: {} });
    await using server = await startModelServer([{ text: "hello" }]);
    await ask(await openAtVendor(server));
    expect(server.requests[0]?.path).toBe("/v1/responses");
    expect(server.requests[0]?.headers["user-agent"]).toBe("zot/test");
  });

  test("carries reasoning, text and raw arguments, there and back", async () => {
    const raw = '{"id":9007199254740993, "x":1.0}';
    await using server = await startModelServer([
      {
        thinking: "hm",
        text: ["a", "b"],
        calls: [{ name: "read", raw, id: "call_x", fragment: 3 }],
        usage: { output_tokens_details: { reasoning_tokens: 4 } },
      },
      { text: "done" },
    ]);
    const model = await openAtVendor(server);
    const first = await ask(model);
    expect(first.message.content.map((block) => block.type)).toEqual(["reasoning", "text", "tool_call"]);
    expect(first.calls[0]?.arguments).toBe(raw);
    expect(first.text).toBe("ab");
    expect(first.stop).toBe("tool_use");
    expect(first.usage).toMatchObject({ input: 11, output: 7, reasoning: 4 });
    await ask(model, [user("hi"), first.message, user("go")]);
    const input = server.requests[1]?.body ?? "";
    expect(input).toContain("c2VhbGVk");
    expect(input).toContain('{\\"id\\":9007199254740993,\\"x\\":1.0}');
    expect(input).toContain("tool call was aborted; no result recorded.");
  });

  test("survives a damaged signature and an answer from Chat Completions", async () => {
    await using server = await startModelServer([{ text: "ok" }]);
    const message = {
      role: "assistant",
      content: [
        { type: "reasoning", text: "x", signature: "openai-responses {broken" },
        { type: "reasoning", text: "y", signature: "openai-completions reasoning_content" },
        { type: "text", text: "said" },
      ],
      time: 2,
      provider: "openai",
      model: "gpt-5",
    } as const;
    expect((await ask(await openAtVendor(server), [user("hi"), message, user("go")])).text).toBe("ok");
    expect(server.requests[0]?.body).not.toContain("broken");
  });

  test("that breaks off, or fails in its stream, fails in the same terms", async () => {
    await using server = await startModelServer([
      { text: "half", drop: "before_done" },
      { text: "half", done: false },
      { text: "half", errorEvent: { code: "rate_limit_exceeded", message: "slow" } },
      { status: 500, error: { message: "boom" } },
    ]);
    const model = await openAtVendor(server);
    const codes = [];
    for (let count = 0; count < 4; count++) codes.push((await failure(ask(model))).code);
    expect(codes).toEqual(["cut_stream", "cut_stream", "rate_limit", "server"]);
  });
});
