import { expect, test } from "bun:test";
import { openModel } from "../../src/llm/open.ts";
import { ask, failure } from "./asking.ts";

/** A service that sends the given bodies one after the other, and then 429. */
function serving(bodies: readonly string[]) {
  const left = [...bodies];
  const agents: (string | null)[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      agents.push(request.headers.get("user-agent"));
      const body = left.shift();
      const headers = { "content-type": "text/event-stream", "retry-after": "3" };
      return body === undefined ? new Response("busy", { status: 429, headers }) : new Response(body, { headers });
    },
  });
  return { server, agents };
}

const google = (finish: string, usage = ""): string =>
  `data: {"candidates":[{"content":{"parts":[{"text":"hey"}],"role":"model"}${finish}}],` +
  `"usageMetadata":{"promptTokenCount":3,"candidatesTokenCount":2${usage}}}\r\n\r\n`;
const mistral = (finish: string): string =>
  `data: {"id":"x","model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"hey"},` +
  `"finish_reason":${finish}}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}}\n\n`;

test.each([
  ["google", "gemini-2.5-flash", [google(',"finishReason":"STOP"'), google("")]],
  ["mistral", "devstral-latest", [mistral('"stop"'), mistral("null")]],
] as const)("%s answers, breaks off and refuses in the same terms", async (provider, id, bodies) => {
  const { server, agents } = serving(bodies);
  await using _ = server;
  const baseUrl = server.url.href;
  const model = await openModel({ provider, model: id, baseUrl, apiKey: "key-12345", userAgent: "zot/test", env: {} });
  const answer = await ask(model);
  expect([answer.text, answer.usage.input, answer.usage.reasoning]).toEqual(["hey", 3, null]);
  expect(answer.usage.costUsd).toBeGreaterThan(0);
  expect((await failure(ask(model))).code).toBe("cut_stream");
  const refused = await failure(ask(model));
  expect([refused.code, refused.status, refused.retryAfterMs]).toEqual(["rate_limit", 429, 3000]);
  expect(agents).toEqual(["zot/test", "zot/test", "zot/test"]);
});

test("reasoning is counted where the service counts it", async () => {
  const { server } = serving([google(',"finishReason":"STOP"', ',"thoughtsTokenCount":4')]);
  await using _ = server;
  const choice = { provider: "google", model: "gemini-2.5-flash", apiKey: "key-12345", userAgent: "zot/test", env: {} };
  expect((await ask(await openModel({ ...choice, baseUrl: server.url.href }))).usage.reasoning).toBe(4);
});
