import { describe, expect, test } from "bun:test";
import { extension } from "../../src/sdk/api.ts";
import { SESSION_EVENTS } from "../../src/sdk/event.ts";
import { Registrations } from "../../src/sdk/registrations.ts";
import { sessionState } from "../../src/sdk/session-state.ts";
import type { ExtensionDriver } from "../support/extension-driver.ts";
import { sdkRuntimes } from "./runtimes.ts";

const V2 = { protocol_version: 2 };

function session(event: string, id: string, rows?: readonly unknown[]) {
  return { type: "event", event, session: { id }, ...(rows === undefined ? {} : { state: { rows } }) };
}

/** What the extension holds to be its state. */
async function stateOf(ext: ExtensionDriver): Promise<unknown> {
  return JSON.parse(String((await ext.command("rows"))["display"]));
}

describe.each(sdkRuntimes)("the state of a conversation under $name", (runtime) => {
  async function keeper(): Promise<ExtensionDriver> {
    const ext = runtime.start("keeper.mjs");
    await ext.greet(V2);
    return ext;
  }

  test("every session event is subscribed to", async () => {
    await using ext = await keeper();
    const subscribed = ext.lines.map((line) => JSON.parse(line)).find(({ type }) => type === "subscribe");
    expect(subscribed.events).toEqual([
      "session_start",
      "session_opened",
      "session_switched",
      "session_forked",
      "session_compacted",
    ]);
  });

  test("follows the conversation; a branch without one starts over, and observers find it changed already", async () => {
    await using ext = await keeper();
    ext.send(session("session_start", "s1"));
    await ext.next({ message: "session_start s1: 0" });
    ext.send(session("session_switched", "s2", ["a", "b"]));
    await ext.next({ message: "rows: a,b" });
    await ext.next({ message: "session_switched s2: 2" });
    ext.send(session("session_opened", "s3"));
    await ext.next({ message: "rows: " });
    await ext.next({ message: "session_opened s3: 0" });
  });

  test("the result of a tool changes it, once the host has the result, and the next call finds it", async () => {
    await using ext = await keeper();
    expect(await ext.tool("add", { row: "one" })).toMatchObject({
      content: [{ type: "text", text: "added one" }],
      details: { rows: ["one"] },
    });
    expect(await ext.tool("add", { row: "two" })).toMatchObject({ details: { rows: ["one", "two"] } });
    await ext.tool("leave", {});
    expect(await stateOf(ext)).toEqual({ rows: ["one", "two"] });
    const types = ext.lines.map((line) => JSON.parse(line)).map(({ type, message }) => message ?? type);
    expect(types.indexOf("rows: one")).toBeGreaterThan(types.indexOf("tool_result"));
    await ext.tool("clear", {});
    expect(await stateOf(ext)).toEqual({ rows: [] });
  });

  test("handlers hear of changes only", async () => {
    await using ext = await keeper();
    ext.send(session("session_start", "s", ["a"]), session("session_compacted", "s", ["a"]));
    await ext.next({ message: "session_compacted s: 1" });
    expect(ext.lines.filter((line) => line.includes("rows: "))).toHaveLength(1);
  });

  test("what does not fit the schema is nothing, and the log says why", async () => {
    await using ext = await keeper();
    ext.send(session("session_start", "s", ["a"]), session("session_switched", "t", [5]));
    await ext.next({ message: "session_switched t: 0" });
    await ext.logged("the stored state does not fit its schema, starting over: rows[0]: expected string, got 5");
    ext.send({ type: "event", event: "session_switched", state: "text" });
    await ext.logged('state: expected object, got "text"');
    await ext.tool("add", { row: "x" });
    await ext.tool("misfit", {});
    expect(await stateOf(ext)).toEqual({ rows: [] });
  });

  test("a result that never reached the host, or is too large for it, changes nothing", async () => {
    await using ext = await keeper();
    await ext.tool("add", { row: "kept" });
    expect(await ext.tool("unsendable", {})).toMatchObject({ is_error: true });
    expect(await ext.tool("huge", {})).toHaveProperty("details");
    await ext.logged("a state of more than 262144 bytes is not stored");
    ext.send({ type: "tool_call", id: "s1", name: "slow", args: {} }, { type: "tool_cancel", id: "s1" });
    await ext.next({ message: "slow ends" });
    expect(await stateOf(ext)).toEqual({ rows: ["kept"] });
  });

  test("is a copy: what the author changes in place later is not stored", async () => {
    await using ext = await keeper();
    await ext.tool("reuse", {});
    await ext.next({ message: "changed in place" });
    expect(await stateOf(ext)).toEqual({ rows: ["mine"] });
  });

  test("a handler that throws goes to the log and ends nothing", async () => {
    await using ext = await keeper();
    await ext.tool("add", { row: "boom" });
    await ext.logged("onChange failed");
    expect(await stateOf(ext)).toEqual({ rows: ["boom"] });
  });
});

test("a state alone is reason enough to subscribe to what happens to the conversation", () => {
  const registrations = new Registrations();
  expect(registrations.subscription()).toBeUndefined();
  registrations.state = sessionState({ schema: { type: "object" }, initial: {} });
  registrations.observers.add("session_start", () => undefined);
  expect(registrations.subscription()).toEqual({ type: "subscribe", events: [...SESSION_EVENTS] });
});

describe("asking for a state", () => {
  const options = { schema: { type: "object" }, initial: {} } as const;

  test("without protocol 2, or twice, fails where it is written", () => {
    expect(() => extension({ name: "x" }).state(options)).toThrow("only protocol 2 has it");
    const ext = extension({ name: "x", protocol: 2 });
    ext.state(options);
    expect(() => ext.state(options)).toThrow("an extension has one only");
  });

  test("gives a value whose type follows from the schema", () => {
    const state = extension({ name: "x", protocol: 2 }).state({
      schema: { type: "object", properties: { n: { type: "integer" }, on: { type: "boolean" } }, required: ["n"] },
      initial: { n: 1 },
    });
    const { n, on }: { n: number; on?: boolean } = state.value;
    expect([n, on]).toEqual([1, undefined]);
    // @ts-expect-error
    state.storing({ n: "1" }, "");
  });
});
