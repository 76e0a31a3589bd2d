import { describe, expect, test } from "bun:test";
import { startModelServer } from "../support/model-server.ts";
import { ask, failure, openAt, requestOf, VENDORS } from "./asking.ts";

describe.each(VENDORS)("an abort of a request to %s", (vendor) => {
  test("before it is sent sends nothing", async () => {
    await using server = await startModelServer([{ text: "x" }]);
    const error = await failure(ask(await openAt(server, vendor), "hi", {}, AbortSignal.abort()));
    expect(error.code).toBe("aborted");
    expect(error.retryable).toBe(false);
    expect(server.requests).toHaveLength(0);
  });

  test.each([
    { delay: "forever" as const },
    { text: ["a", "b"], stallAfterEvents: 2 },
    { text: Array.from({ length: 5_000 }, () => "x"), pace: 5 },
  ])("ends it at once and closes the connection: %#", async (turn) => {
    await using server = await startModelServer([turn]);
    const model = await openAt(server, vendor);
    const controller = new AbortController();
    const answer = failure(ask(model, "hi", {}, controller.signal));
    await server.until((requests) => requests.length === 1);
    controller.abort();
    // None of these answers ends by itself within the time of a test.
    expect((await answer).code).toBe("aborted");
    await server.until(([request]) => request?.aborted === true);
  });

  test("leaves no listener on the caller's signal, nor does a whole answer", async () => {
    await using server = await startModelServer([{ text: "x" }, { drop: "after_headers" }]);
    const model = await openAt(server, vendor);
    const { signal } = new AbortController();
    const added: unknown[] = [];
    const removed: unknown[] = [];
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>): void => {
      added.push(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
      removed.push(args[1]);
      remove(...args);
    };
    await ask(model, "hi", {}, signal);
    await failure(ask(model, "hi", {}, signal));
    expect(added.length).toBeGreaterThan(0);
    expect(removed).toEqual(added);
  });

  test("closes the connection although nobody reads on", async () => {
    await using server = await startModelServer([{ text: ["a", "b"], stallAfterEvents: vendor === "openai" ? 2 : 3 }]);
    const model = await openAt(server, vendor);
    const controller = new AbortController();
    const events = model.stream(requestOf("hi"), controller.signal)[Symbol.asyncIterator]();
    expect((await events.next()).done).toBe(false);
    controller.abort();
    await server.until(([request]) => request?.aborted === true);
    expect((await failure(Promise.resolve(events.next()))).code).toBe("aborted");
  });

  test("by leaving the stream early closes the connection too", async () => {
    await using server = await startModelServer([{ text: ["a", "b"], stallAfterEvents: vendor === "openai" ? 2 : 3 }]);
    const model = await openAt(server, vendor);
    for await (const event of model.stream(requestOf("hi"), new AbortController().signal)) {
      expect(event.type).toBe("text_delta");
      break;
    }
    await server.until(([request]) => request?.aborted === true);
  });
});
