import { describe, expect, test } from "bun:test";
import { errorLine } from "../../src/llm/pi/error-text.ts";
import { retryAfterMs } from "../../src/llm/pi/retry-after.ts";
import { startModelServer, type Turn } from "../support/model-server.ts";
import { ask, failure, KEY, openAt, VENDORS } from "./asking.ts";

describe.each(VENDORS)("an error status from %s", (vendor) => {
  const message = (text: string): { readonly type: string; readonly message: string } => ({
    type: "some_error",
    message: text,
  });
  test.each([
    [401, message("invalid api key"), "auth"],
    [403, message("not for you"), "auth"],
    [429, message("slow down"), "rate_limit"],
    [429, { type: "insufficient_quota", message: "You exceeded your quota" }, "refused"],
    [500, message("boom"), "server"],
    [503, message("later"), "server"],
    [529, message("Overloaded"), "server"],
    [408, message("timeout"), "server"],
    [400, message("bad request"), "refused"],
    [404, message("no such model"), "refused"],
    [422, message("unprocessable"), "refused"],
    [400, message("prompt is too long: 250000 tokens > 200000 maximum"), "context_overflow"],
    [400, { code: "context_length_exceeded", message: "too much" }, "context_overflow"],
    [400, message("This model's maximum context length is 4096 tokens"), "context_overflow"],
    [413, message("Request too large"), "context_overflow"],
  ] as const)("%i %j is %s", async (status, error, code) => {
    await using server = await startModelServer([{ status, error }]);
    const failed = await failure(ask(await openAt(server, vendor)));
    expect(failed.code).toBe(code);
    expect(failed.status).toBe(status);
    expect(failed.message).toContain(`${vendor} (127.0.0.1:${server.port}) answered ${status}: ${error.message}`);
    expect(server.requests).toHaveLength(1);
  });

  test("is told in one short line without markup, stack or key", async () => {
    const turns: Turn[] = [
      { status: 502, error: "<html><head><title>502 Bad Gateway</title></head><body><h1>x</h1></body></html>" },
      { status: 500, error: `boom\n  at f (x.js:1)\n  key ${KEY}\n${"long ".repeat(500)}` },
      { status: 500 },
      { status: 500, error: `{"error": ${"[".repeat(500)}` },
      { status: 401, error: { message: `Incorrect API key provided: sk-ab12*****cdef. Bearer ${KEY}` } },
      { status: 500, error: { detail: [{ msg: "nested \u001b[31mred" }] } },
    ];
    await using server = await startModelServer(turns);
    const model = await openAt(server, vendor);
    const lines: string[] = [];
    for (let count = 0; count < turns.length; count++) lines.push((await failure(ask(model))).message);
    for (const line of lines) {
      expect(line.length).toBeLessThanOrEqual(300);
      for (const character of ["\n", "\r", "\u001b", "<", ">"]) expect(line).not.toContain(character);
      expect(line).not.toContain("0123456789");
      expect(line).not.toContain("sk-ab12");
    }
    expect(lines[0]).toContain('502: a web page titled "502 Bad Gateway"');
    expect(lines[2]).toEndWith("answered 500.");
    expect(lines[4]).toContain("Check --api-key.");
    expect(lines[5]).toContain("nested");
  });

  test("does not repeat a key that looks like no key", async () => {
    const apiKey = "quite ordinary words".replaceAll(" ", "-");
    await using server = await startModelServer([{ status: 401, error: { message: `unknown key ${apiKey}` } }]);
    const error = await failure(ask(await openAt(server, vendor, { apiKey })));
    expect(error.message).toContain("unknown key …");
    expect(error.message).not.toContain("ordinary");
  });

  test("says how long to wait", async () => {
    const date = new Date(Date.now() + 30_000).toUTCString();
    await using server = await startModelServer([
      { status: 429, headers: { "retry-after": "2" } },
      { status: 429, headers: { "retry-after-ms": "1500", "retry-after": "9" } },
      { status: 503, headers: { "retry-after": date } },
      { status: 529, headers: { "retry-after": "soon" } },
    ]);
    const model = await openAt(server, vendor);
    const waits = [];
    for (let count = 0; count < 4; count++) waits.push((await failure(ask(model))).retryAfterMs);
    expect(waits[0]).toBe(2000);
    expect(waits[1]).toBe(1500);
    expect(waits[2]).toBeGreaterThan(20_000);
    expect(waits[2]).toBeLessThanOrEqual(31_000);
    expect(waits[3]).toBeUndefined();
  });

  test("is not asked again here, and does not follow to another host", async () => {
    await using elsewhere = await startModelServer([{ text: "stolen" }]);
    await using server = await startModelServer([
      { status: 307, headers: { location: `http://127.0.0.1:${elsewhere.port}/v1/x` } },
      { status: 500 },
    ]);
    const model = await openAt(server, vendor);
    const error = await failure(ask(model));
    expect(error.code).toBe("refused");
    expect(error.message).toContain(`redirects to 127.0.0.1:${elsewhere.port}`);
    await failure(ask(model));
    expect(server.requests).toHaveLength(2);
    expect(elsewhere.requests).toHaveLength(0);
  });

  test("inside a 200 that is no event stream is told as what it is", async () => {
    await using server = await startModelServer([
      { body: "<html><title>Welcome</title></html>", contentType: "text/html" },
      { body: '{"error":{"type":"overloaded_error","message":"Overloaded"}}', contentType: "application/json" },
      { body: '{"choices":[]}', contentType: "text/event-stream" },
    ]);
    const model = await openAt(server, vendor);
    const first = await failure(ask(model));
    expect([first.code, first.message.includes("web page")]).toEqual(["refused", true]);
    const second = await failure(ask(model));
    expect([second.code, second.message.includes("Overloaded")]).toEqual(["server", true]);
    expect((await failure(ask(model))).code).toBe("refused");
  });

  test("whose body never ends is told all the same", async () => {
    await using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response(new ReadableStream({ start: (body) => body.enqueue(Buffer.from("overloaded, ")) }), {
          status: 503,
        }),
    });
    const error = await failure(ask(await openAt({ url: () => server.url.href }, vendor)));
    expect([error.code, error.status]).toEqual(["server", 503]);
    expect(error.message).toContain("overloaded");
  });

  test("is no connection at all when nobody listens", async () => {
    const server = await startModelServer([]);
    const { port } = server;
    await server[Symbol.asyncDispose]();
    const error = await failure(ask(await openAt(server, vendor)));
    expect(error.code).toBe("network");
    expect(error.message).toContain(`no connection to ${vendor} at 127.0.0.1:${port}`);
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.message).not.toContain("proxy");
  });
});

test("a wait is read from its headers in every form", () => {
  const now = Date.UTC(2025, 0, 1);
  const read = (headers: Record<string, string>): number | undefined => retryAfterMs(new Headers(headers), now);
  expect(read({})).toBeUndefined();
  expect(read({ "retry-after": "0.5" })).toBe(500);
  expect(read({ "retry-after": "-1" })).toBeUndefined();
  expect(read({ "retry-after": "Wed, 01 Jan 2025 00:00:07 GMT" })).toBe(7000);
  expect(read({ "retry-after": "Wed, 01 Jan 2020 00:00:00 GMT" })).toBe(0);
  expect(read({ "retry-after-ms": "250.6" })).toBe(251);
});

test("a line never ends in half a character", () => {
  const line = errorLine(`${"x".repeat(298)}🦊🦊🦊`);
  expect(line.isWellFormed()).toBe(true);
  expect(line.length).toBeLessThanOrEqual(300);
});
