import { describe, expect, test } from "bun:test";
import type { AssistantMessage, Message, ToolMessage } from "../../src/llm/messages.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, openAt, user, VENDORS, type Vendor } from "./asking.ts";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function assistant(vendor: Vendor, content: AssistantMessage["content"]): AssistantMessage {
  return { role: "assistant", content, time: 2, provider: vendor, model: "fake" };
}

function results(...content: ToolMessage["content"]): ToolMessage {
  return { role: "tool", content, time: 3 };
}

function call(id: string, name = "read", args = "{}"): AssistantMessage["content"][number] {
  return { type: "tool_call", id, name, arguments: args };
}

function result(callId: string, text: string | undefined, isError = false): ToolMessage["content"][number] {
  return { type: "tool_result", callId, content: text === undefined ? [] : [{ type: "text", text }], isError };
}

/** Sends a history to the strict server and gives back the messages that went over the wire, as one text. */
async function sent(vendor: Vendor, messages: readonly Message[]): Promise<string> {
  await using server = await startModelServer([{ text: "ok" }], { strict: true });
  await ask(await openAt(server, vendor), messages);
  expect(server.requests[0]?.problems).toEqual([]);
  return JSON.stringify(server.requests[0]?.at("messages"));
}

describe.each(VENDORS)("a history sent to %s is accepted", (vendor) => {
  test("with empty and blank texts everywhere", async () => {
    const wire = await sent(vendor, [
      user(""),
      assistant(vendor, [{ type: "text", text: "" }]),
      user("  \n"),
      assistant(vendor, [{ type: "text", text: " \n" }, call("a"), call("b"), call("c")]),
      results(result("a", ""), result("b", " \n "), result("c", undefined)),
      user("go"),
    ]);
    expect(wire.match(/\(no output\)/g)).toHaveLength(3);
    expect(wire.match(/\(empty message\)/g)).toHaveLength(2);
  });

  test("with an answer of nothing but reasoning", async () => {
    await using server = await startModelServer([{ thinking: "hm" }, { text: "ok" }], { strict: true });
    const model = await openAt(server, vendor);
    const first = await ask(model);
    expect(first.message.content.map((block) => block.type)).toEqual(["reasoning"]);
    expect((await ask(model, [user("hi"), first.message, user("and?")])).text).toBe("ok");
  });

  test("with reasoning that the service did not sign", async () => {
    await using server = await startModelServer(
      [{ thinking: "an unsigned thought", signature: "", text: "x" }, { text: "ok" }],
      {
        strict: true,
      },
    );
    const model = await openAt(server, vendor);
    const first = await ask(model);
    expect((await ask(model, [user("hi"), first.message, user("and?")])).text).toBe("ok");
    // Messages cannot take it back, and it must not turn into something the model said.
    if (vendor === "anthropic") expect(server.requests[1]?.body).not.toContain("an unsigned thought");
  });

  test("with signed reasoning, which goes back to the model that made it and to no other", async () => {
    const script = { thinking: "my thought", text: "x", calls: [{ name: "read", args: {} }] };
    await using server = await startModelServer([script, { text: "ok" }, { text: "ok" }], { strict: true });
    const model = await openAt(server, vendor);
    const first = await ask(model);
    const history = [user("hi"), first.message, results(result(first.calls[0]?.id ?? "", "done"))];
    await ask(model, history);
    await ask(await openAt(server, vendor, { model: "another" }), history);
    expect(server.requests[1]?.body).toContain("my thought");
    expect(server.requests[2]?.body).not.toContain("my thought");
    if (vendor === "anthropic") expect(server.requests[1]?.body).toContain("c2lnbmF0dXJl");
  });

  test("from another vendor, calls and all", async () => {
    const other = vendor === "openai" ? "anthropic" : "openai";
    await using server = await startModelServer(
      [
        { thinking: "secret thought", text: "x", calls: [{ name: "read", args: { a: 1 }, id: "toolu_1" }] },
        { text: "ok" },
      ],
      { strict: true },
    );
    const first = await ask(await openAt(server, other));
    const answer = await ask(await openAt(server, vendor), [
      user("hi"),
      first.message,
      results(result("toolu_1", "done")),
    ]);
    expect(answer.text).toBe("ok");
    expect(server.requests[1]?.body).not.toContain("secret thought");
  });

  test("with calls that were never answered, answered twice, or never made", async () => {
    const wire = await sent(vendor, [
      user("hi"),
      assistant(vendor, [call("a"), call("b")]),
      results(result("b", "for b"), result("b", "again"), result("ghost", "for nobody")),
      user("next"),
      results(result("late", "orphan")),
      assistant(vendor, [call("z")]),
    ]);
    expect(wire.match(/tool call was aborted; no result recorded\./g)).toHaveLength(2);
    expect(wire).toContain("for b");
    for (const text of ["again", "for nobody", "orphan"]) expect(wire).not.toContain(text);
  });

  test("with results in another order than the calls, and after a message of the user", async () => {
    const wire = await sent(vendor, [
      user("hi"),
      assistant(vendor, [call("a"), call("b")]),
      user("in between"),
      results(result("b", "for b"), result("a", "for a")),
    ]);
    expect(wire.indexOf("for a")).toBeLessThan(wire.indexOf("for b"));
    expect(wire.indexOf("for b")).toBeLessThan(wire.indexOf("in between"));
  });

  test("with names and ids that no service takes", async () => {
    const names = ["", " bash ", "a.b/c", "ü", "x".repeat(90), "__proto__", "functions.read"];
    const ids = ["", "", "a b", "x".repeat(90), `${"x".repeat(90)}y`, "call|item", "ü"];
    const calls = names.map((name, position) => call(ids[position] ?? "", name));
    const answers = ids.map((id, position) => result(id, `result ${position}`));
    const wire = await sent(vendor, [user("hi"), assistant(vendor, calls), results(...answers), user("go")]);
    for (const position of names.keys()) expect(wire).toContain(`result ${position}`);
    expect(wire).not.toContain("no result recorded");
  });

  test("with one id in two answers", async () => {
    const wire = await sent(vendor, [
      user("hi"),
      assistant(vendor, [call("call_0")]),
      results(result("call_0", "first")),
      assistant(vendor, [call("call_0")]),
      results(result("call_0", "second")),
    ]);
    expect(wire).toContain("first");
    expect(wire).toContain("second");
  });

  test("with halves of surrogate pairs", async () => {
    const wire = await sent(vendor, [
      user("a\ud83d b 🦊"),
      assistant(vendor, [
        { type: "text", text: "\udc00x" },
        call("a", "r\ud800", '{"k\\ud800":"v\\udfff","l":"\ud83d"}'),
      ]),
      results(result("a", "\ud83d")),
    ]);
    expect(wire).toContain("🦊");
    expect(wire).toContain("a\ufffd b");
  });

  test("with images from the user and from tools, in good and in bad results", async () => {
    const image = { type: "image", mimeType: "image/png", data: PNG } as const;
    const wire = await sent(vendor, [
      { role: "user", content: [image], time: 1 },
      assistant(vendor, [call("a"), call("b"), call("c")]),
      results(
        { type: "tool_result", callId: "a", content: [image], isError: false },
        { type: "tool_result", callId: "b", content: [{ type: "text", text: "look" }, image], isError: false },
        { type: "tool_result", callId: "c", content: [{ type: "text", text: " " }, image], isError: true },
      ),
    ]);
    expect(wire.split(PNG)).toHaveLength(5);
  });

  test("that begins with an answer, and one that holds nothing", async () => {
    await sent(vendor, [assistant(vendor, [{ type: "text", text: "summary" }]), user("go")]);
    await sent(vendor, []);
    await sent(vendor, [assistant(vendor, [])]);
  });

  test("and no system prompt is sent when there is none", async () => {
    await using server = await startModelServer([{ text: "ok" }, { text: "ok" }], { strict: true });
    const model = await openAt(server, vendor);
    await ask(model, "hi", { systemPrompt: "", tools: [] });
    await ask(model, "hi", { systemPrompt: " \n", tools: [] });
    for (const request of server.requests) {
      expect(request.at("system")).toBeUndefined();
      expect(request.at("messages.0.role")).toBe("user");
      expect(request.at("tools")).toBeUndefined();
    }
  });

  test("and reads the same every time, for the caches", async () => {
    const history = [user("hi"), assistant(vendor, [call("a"), call("a"), call("")]), user("go")];
    expect(await sent(vendor, history)).toBe(await sent(vendor, history));
  });
});
