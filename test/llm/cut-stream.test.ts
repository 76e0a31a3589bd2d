import { describe, expect, test } from "bun:test";
import { startModelServer, type Turn } from "../support/model-server.ts";
import { ask, failure, openAt, VENDORS } from "./asking.ts";

const TURN: Turn = { text: ["one ", "two ", "three"], calls: [{ name: "read", args: { path: "abc" }, fragment: 3 }] };

describe.each(VENDORS)("an answer of %s that breaks off", (vendor) => {
  const drops: NonNullable<Turn["drop"]>[] = [
    "after_headers",
    "before_done",
    { afterEvents: 1 },
    { afterEvents: 3 },
    { afterEvents: 6 },
    { afterBytes: 10 },
    { afterBytes: 700 },
  ];
  test.each(
    drops.flatMap((drop) =>
      (["chunked", "close"] as const).flatMap((framing) => [false, true].map((reset) => ({ drop, framing, reset }))),
    ),
  )("is never taken for a whole one: %j", async (how) => {
    await using server = await startModelServer([{ ...TURN, ...how }]);
    const error = await failure(ask(await openAt(server, vendor)));
    expect(error.code).toBe("cut_stream");
    expect(error.retryable).toBe(true);
    expect(error.message).toContain(vendor);
    expect(error.message).toContain(`127.0.0.1:${server.port}`);
    expect(error.message).not.toContain("verbose");
  });

  test("before it has begun is a connection that failed", async () => {
    await using server = await startModelServer([{ drop: "before_headers" }, { drop: "before_headers", reset: true }]);
    const model = await openAt(server, vendor);
    expect((await failure(ask(model))).code).toBe("network");
    expect((await failure(ask(model))).code).toBe("network");
  });

  test.each([{ finish: null }, { finish: null, done: false }, { finish: null, framing: "close" as const }])(
    "without saying why it ended is cut: %j",
    async (how) => {
      await using server = await startModelServer([{ text: "half", ...how }]);
      expect((await failure(ask(await openAt(server, vendor)))).code).toBe("cut_stream");
    },
  );

  test("inside a finishing event is cut, not garbled", async () => {
    const whole = vendor === "openai" ? '{"choices":[{"delta":{"content":"x"}}]}' : '{"type":"message_stop"}';
    await using server = await startModelServer([{ body: `data: ${whole.slice(0, -3)}` }]);
    expect((await failure(ask(await openAt(server, vendor)))).code).toBe("cut_stream");
  });

  test("by silence, after the limit, and the connection is closed", async () => {
    await using server = await startModelServer([
      { ...TURN, stallAfterEvents: 3 },
      { delay: "forever" },
      { ...TURN, stallAfterEvents: 1, framing: "close" },
    ]);
    const model = await openAt(server, vendor, {}, { idleTimeoutMs: 150 });
    for (let count = 1; count <= 3; count++) {
      const error = await failure(ask(model));
      expect(error.code).toBe("cut_stream");
      expect(error.message).toContain("nothing came for 0.15 s");
      await server.until((requests) => requests.filter((request) => request.aborted).length === count);
    }
  });

  test("not by a slow service that shows signs of life", async () => {
    await using server = await startModelServer([{ text: ["a", "b", "c", "d", "e"], pace: 200, comments: 1 }]);
    const model = await openAt(server, vendor, {}, { idleTimeoutMs: 800 });
    expect((await ask(model)).text).toBe("abcde");
  });

  test("with an error event fails as that error", async () => {
    await using server = await startModelServer([
      { text: ["one", "two"], errorEvent: { type: "overloaded_error", message: "Overloaded" } },
      { text: "one", errorEvent: { type: "rate_limit_error", message: "slow down" } },
      {
        text: "one",
        errorEvent: { type: "invalid_request_error", message: "prompt is too long: 9 tokens > 8 maximum" },
      },
      { text: "one", errorEvent: { code: "invalid_api_key", message: `bad key ${"sk-test-0123456789abcdef"}` } },
      { errorEvent: "something broke" },
    ]);
    const model = await openAt(server, vendor);
    const errors = [];
    for (let count = 0; count < 5; count++) errors.push(await failure(ask(model)));
    expect(errors.map((error) => error.code)).toEqual(["server", "rate_limit", "context_overflow", "auth", "server"]);
    expect(errors[0]?.message).toContain("Overloaded");
    expect(errors[3]?.message).not.toContain("0123456789");
    expect(errors[4]?.message).toContain("something broke");
  });

  test("that the service itself ends as no answer is refused", async () => {
    await using server = await startModelServer([{ finish: vendor === "openai" ? "content_filter" : "refusal" }]);
    expect((await failure(ask(await openAt(server, vendor)))).code).toBe("refused");
  });

  test("leaves nothing behind for the next request", async () => {
    await using server = await startModelServer([{ ...TURN, drop: { afterEvents: 3 } }, { text: "whole" }]);
    const model = await openAt(server, vendor);
    await failure(ask(model));
    expect((await ask(model)).text).toBe("whole");
  });
});

test("a piece of a Chat Completions answer that is no JSON is a fault of the service", async () => {
  await using server = await startModelServer([{ text: "x", prelude: "data: {broken\n\n" }]);
  const error = await failure(ask(await openAt(server, "openai")));
  expect(error.code).toBe("server");
  expect(error.message).toContain("not JSON");
});
