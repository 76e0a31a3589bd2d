import { describe, expect, test } from "bun:test";
import { sdkRuntimes } from "./runtimes.ts";

describe.each(sdkRuntimes)("events and intercepts under $name", (runtime) => {
  test("one subscription names every event once", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const subscriptions = ext.lines.filter((line) => line.includes('"subscribe"'));
    expect(subscriptions.map((line) => JSON.parse(line))).toEqual([
      {
        type: "subscribe",
        events: [
          "session_start",
          "turn_start",
          "tool_call",
          "tool_confirmation_requested",
          "assistant_message",
          "session_switched",
        ],
        intercept: ["tool_call", "turn_start", "assistant_message", "before_agent_start"],
      },
    ]);
  });

  test.each([
    ["turn_start", { step: 2 }, { step: 2 }],
    ["turn_start", {}, { step: 0 }],
    [
      "tool_call",
      { tool_id: "1", tool_name: "read", tool_args: { n: 1 } },
      { toolId: "1", toolName: "read", args: { n: 1 }, rawArguments: '{"n":1}' },
    ],
    [
      "tool_confirmation_requested",
      { tool_id: "1", tool_name: "bash", tool_preview: "ls" },
      { toolId: "1", toolName: "bash", preview: "ls" },
    ],
    ["assistant_message", { text: "hi" }, { text: "hi" }],
    ["session_start", {}, {}],
    ["session_switched", { session: { id: "s" }, state: null }, { session: { id: "s", forkPoint: 0 }, state: null }],
  ])("%s is observed with its payload %j", async (event, payload, expected) => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "event", event, ...payload });
    await ext.next({ type: "notify", message: `${event} ${JSON.stringify(expected)}` });
  });

  test("an observer that throws is a line in the log and nothing else", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "event", event: "turn_start", step: 13 });
    await ext.logged("observer failed");
    expect(await ext.command("noop")).toMatchObject({ action: "noop" });
  });

  test("decisions become the fields of the protocol", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const answer = async (event: string, payload: Record<string, unknown>) => {
      const { type: _type, id: _id, ...rest } = await ext.intercept(event, payload);
      return rest;
    };
    expect(await answer("tool_call", { tool_name: "fine", tool_args: {} })).toEqual({});
    expect(await answer("tool_call", { tool_name: "blocked", tool_args: {} })).toEqual({ block: true, reason: "no" });
    expect(await answer("tool_call", { tool_name: "rewritten", tool_args: { a: 1 } })).toEqual({
      modified_args: { a: 1, more: true },
    });
    expect(await answer("turn_start", { step: 1 })).toEqual({ context: "ctx" });
    expect(await answer("turn_start", { step: 2 })).toEqual({});
    expect(await answer("assistant_message", { text: "loud" })).toEqual({ replace_text: "LOUD" });
    const start = { session_id: "s", agent_run_id: "run-1", system_prompt: "base" };
    expect(await answer("before_agent_start", start)).toEqual({ system_prompt: "base+run-1" });
    expect(await answer("not_subscribed", {})).toEqual({});
  });

  test("arguments handed on as text keep their digits and stay on one line", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.write(
      '{"type":"event_intercept","id":"i1","event":"tool_call","tool_name":"raw","tool_args":{"n": 9007199254740993 }}\n',
    );
    await ext.next({ id: "i1" });
    expect(ext.lines.at(-1)).toBe(
      '{"type":"event_intercept_response","id":"i1","modified_args":{"n": 9007199254740993 }}',
    );
  });

  test("an interceptor that fails allows, unless it was told to block", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const broken = await ext.intercept("tool_call", { tool_name: "broken", tool_args: {} });
    expect(broken).toMatchObject({ block: true, reason: "the guard itself failed: guard failed" });
    const nonsense = await ext.intercept("tool_call", { tool_name: "nonsense", tool_args: {} });
    expect(nonsense).toMatchObject({ block: true });
    const { type: _type, id: _id, ...allowed } = await ext.intercept("assistant_message", { text: "boom" });
    expect(allowed).toEqual({});
    await ext.logged("interceptor failed");
  });
});
