import { describe, expect, test } from "bun:test";
import { startModelServer } from "../support/model-server.ts";
import { ask, joined, openAt, requestOf, user, VENDORS } from "./asking.ts";

const HARD =
  '{ "id": 9007199254740993, "x": 1.0, "y": -0.10e2, "__proto__": {"a": 12345678901234567890}, "s": "ü🦊\\u0041" }';

describe.each(VENDORS)("tool arguments from %s", (vendor) => {
  test.each([HARD, '{"a":1}{"b":2}', "[1]", '"str"', '{"a":1,}', `{"x": 'bad`, '{"a":"line\nbreak"}', "7", "nul"])(
    "are the text that the model wrote: %s",
    async (raw) => {
      await using server = await startModelServer([{ calls: [{ name: "read", raw, fragment: 3 }] }]);
      const answer = await ask(await openAt(server, vendor));
      expect(answer.calls.map((call) => call.arguments)).toEqual([raw]);
      expect(joined(answer.events, "tool_call_delta")).toBe(raw);
      expect(answer.stop).toBe("tool_use");
    },
  );

  test.each(["", " ", "null", " null\n", null])("that are none are an empty object: %j", async (raw) => {
    await using server = await startModelServer([{ calls: [{ name: "read", raw }] }]);
    const answer = await ask(await openAt(server, vendor));
    expect(answer.calls.map((call) => call.arguments)).toEqual(["{}"]);
    expect(joined(answer.events, "tool_call_delta")).toBe("{}");
  });

  test("of several calls come in order, framed by start and end", async () => {
    const calls = [
      { name: "read", args: { path: "a" }, id: "one", fragment: 4 },
      { name: "read", args: { path: "b" }, id: "two" },
    ];
    await using server = await startModelServer([{ text: "look", calls }]);
    const answer = await ask(await openAt(server, vendor));
    const framing = answer.events.flatMap((event) =>
      event.type === "tool_call_start" || event.type === "tool_call_end" ? [`${event.type} ${event.id}`] : [],
    );
    expect(framing.filter((line) => line.endsWith("one"))).toEqual(["tool_call_start one", "tool_call_end one"]);
    expect(framing.indexOf("tool_call_start one")).toBeLessThan(framing.indexOf("tool_call_start two"));
    expect(answer.calls.map((call) => [call.id, call.arguments])).toEqual([
      ["one", '{"path":"a"}'],
      ["two", '{"path":"b"}'],
    ]);
  });

  test.each(["", null, undefined, 5, " bash ", "__proto__", "constructor", "functions.bash", "ü", "x".repeat(90)])(
    "go with the name that the model made up: %j",
    async (name) => {
      await using server = await startModelServer([{ calls: [{ name, args: { a: 1 } }] }]);
      const answer = await ask(await openAt(server, vendor));
      expect(answer.calls.map((call) => call.name)).toEqual([typeof name === "string" ? name : ""]);
      expect(answer.calls[0]?.arguments).toBe('{"a":1}');
    },
  );

  test("get an id of their own when the service gives none, a bad one, or one twice", async () => {
    const ids = [null, "", "bad id\u0000", "same", "same", 7];
    const calls = ids.map((id, position) => ({ name: "read", args: { position }, id }));
    await using server = await startModelServer([{ calls }]);
    const answer = await ask(await openAt(server, vendor));
    expect(answer.calls.map((call) => call.arguments)).toEqual(ids.map((_, position) => `{"position":${position}}`));
    expect(new Set(answer.calls.map((call) => call.id)).size).toBe(ids.length);
    for (const call of answer.calls) expect(call.id).toMatch(/^[!-~]+$/);
    expect(answer.calls.some((call) => call.id === "same")).toBe(true);
  });

  test("get a new id when the conversation has used the given one", async () => {
    const turn = { calls: [{ name: "read", args: {}, id: "call_0" }] };
    await using server = await startModelServer([turn, turn]);
    const model = await openAt(server, vendor);
    const first = await ask(model);
    const second = await ask(model, [user("hi"), first.message, user("again")]);
    expect(first.calls[0]?.id).toBe("call_0");
    expect(second.calls[0]?.id).not.toBe("call_0");
  });

  test("go back to the model with every digit", async () => {
    await using server = await startModelServer([{ calls: [{ name: "read", raw: HARD, id: "t1" }] }, { text: "ok" }], {
      strict: true,
    });
    const model = await openAt(server, vendor);
    const { message } = await ask(model);
    await ask(model, [user("hi"), message]);
    const sent = server.requests[1]?.body.replaceAll('\\"', '"') ?? "";
    expect(sent).toContain('"id":9007199254740993');
    expect(sent).toContain('"x":1.0');
    expect(sent).toContain('"y":-0.10e2');
    expect(sent).toContain('"__proto__":{"a":12345678901234567890}');
  });

  test.each([
    '{"x": ',
    "[1]",
    '"s"',
    "7",
    `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
    `{"a":${"[".repeat(9_000)}`,
    `{"a":${"[".repeat(300)}${"]".repeat(300)}}`,
    `{"a":${"[".repeat(90_000)}${"]".repeat(90_000)}}`,
  ])("that are no object go back as {}", async (raw) => {
    await using server = await startModelServer([{ calls: [{ name: "read", raw }] }, { text: "ok" }], {
      strict: true,
    });
    const model = await openAt(server, vendor);
    const { message } = await ask(model);
    await ask(model, [user("hi"), message]);
    const path = vendor === "openai" ? "messages.2.tool_calls.0.function.arguments" : "messages.1.content.0.input";
    expect(server.requests[1]?.at(path)).toEqual(vendor === "openai" ? "{}" : {});
  });
});

describe("a compatible server's tool calls", () => {
  test("belong together without an index", async () => {
    const calls = [
      { name: "read", args: { path: "a" }, index: null, fragment: 4 },
      { name: "read", args: { path: "b" }, index: null, fragment: 4 },
    ];
    await using server = await startModelServer([{ calls }]);
    const answer = await ask(await openAt(server, "openai"));
    expect(answer.calls.map((call) => call.arguments)).toEqual(['{"path":"a"}', '{"path":"b"}']);
  });

  test("stay apart when all are numbered 0", async () => {
    const calls = [
      { name: "read", args: { path: "a" }, index: 0, fragment: 4 },
      { name: "read", args: { path: "b" }, index: 0, fragment: 4 },
    ];
    await using server = await startModelServer([{ calls }]);
    const answer = await ask(await openAt(server, "openai"));
    expect(answer.calls.map((call) => call.arguments)).toEqual(['{"path":"a"}', '{"path":"b"}']);
  });

  test("may be interleaved", async () => {
    const calls = [
      { name: "read", args: { path: "aaaa" }, fragment: 3 },
      { name: "read", args: { path: "b" }, fragment: 2 },
    ];
    await using server = await startModelServer([{ calls, interleave: true }]);
    const answer = await ask(await openAt(server, "openai"));
    expect(answer.calls.map((call) => call.arguments)).toEqual(['{"path":"aaaa"}', '{"path":"b"}']);
  });

  test("may carry arguments as an object", async () => {
    const call = { index: 0, id: "a", type: "function", function: { name: "read", arguments: { n: "BIG" } } };
    const chunk = { choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: "tool_calls" }] };
    const body = `data: ${JSON.stringify(chunk).replace('"BIG"', "9007199254740993")}\n\ndata: [DONE]\n\n`;
    await using server = await startModelServer([{ body }]);
    const answer = await ask(await openAt(server, "openai"));
    expect(answer.calls.map((each) => each.arguments)).toEqual(['{"n":9007199254740993}']);
  });

  test("may be named after they have begun", async () => {
    const piece = (call: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: finish }] })}\n\n`;
    const body = [
      piece({ index: 0, id: "a", function: { arguments: "" } }),
      piece({ index: 0, function: { name: "read", arguments: '{"a"' } }),
      piece({ index: 0, function: { arguments: ":1}" } }, "tool_calls"),
    ].join("");
    await using server = await startModelServer([{ body }]);
    const answer = await ask(await openAt(server, "openai"));
    expect(answer.calls).toEqual([{ type: "tool_call", id: "a", name: "read", arguments: '{"a":1}' }]);
    const started = answer.events.filter((event) => event.type === "tool_call_start");
    expect(started).toEqual([{ type: "tool_call_start", id: "a", name: "read" }]);
  });
});

test("a tool whose schema no service would take is told in a form that it takes", async () => {
  const schemas = [
    {},
    { type: "string" },
    { type: "object", properties: null },
    { anyOf: [{ type: "object" }], properties: { a: { type: "string", description: "half \ud800" } } },
    { $ref: "#/definitions/Args", definitions: { Args: { type: "object", properties: { b: { type: "number" } } } } },
  ];
  const tools = schemas.map((schema, position) => ({ name: `t${position}`, description: "half \udc00", schema }));
  for (const vendor of VENDORS) {
    await using server = await startModelServer([{ text: "ok" }], { strict: true });
    await ask(await openAt(server, vendor), requestOf("hi").messages, { tools });
    const schema = vendor === "openai" ? "tools.4.function.parameters" : "tools.4.input_schema";
    expect(server.requests[0]?.at(`${schema}.properties`)).toEqual({ b: { type: "number" } });
  }
});
