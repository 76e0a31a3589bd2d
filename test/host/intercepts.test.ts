import { describe, expect, test } from "bun:test";
import { FRAME_MAX_BYTES } from "../../src/wire/limits.ts";
import { RawJson } from "../../src/wire/raw-json.ts";
import { HostWorld } from "../support/host.ts";

const LIVE = new AbortController().signal;

/** A world with one extension that intercepts `event` and lets everything pass. */
async function intercepting(event: string): Promise<HostWorld> {
  const world = await HostWorld.create();
  world.python(
    "guard",
    `
    hello()
    emit("subscribe", intercept=[${JSON.stringify(event)}])
    ready()
    for frame in frames():
        if frame["type"] == "event_intercept":
            emit("event_intercept_response", id=frame["id"])
    `,
  );
  await world.start();
  return world;
}

describe("what is too long for the frame of an interceptor", () => {
  test("is refused when it is a tool call: padding must not lead past a guard", async () => {
    await using world = await intercepting("tool_call");
    const call = (pad: number) => {
      const args = RawJson.of({ command: "ls", pad: "x".repeat(pad) });
      return world.host.intercepts.toolCall({ id: "1", name: "bash", args }, LIVE);
    };
    expect(await call(10)).toMatchObject({ kind: "allowed" });
    expect(await call(FRAME_MAX_BYTES)).toMatchObject({
      kind: "blocked",
      extension: "guard",
      reason: expect.stringContaining("too long"),
    });
    expect(world.diagnostics("guard")).toEqual([
      "intercept tool_call: the frame would exceed the protocol's limit; refusing the call",
    ]);
  });

  test("passes unchanged when it is a text", async () => {
    await using world = await intercepting("assistant_message");
    const text = "x".repeat(FRAME_MAX_BYTES);
    expect(await world.host.intercepts.assistantMessage(text, LIVE)).toEqual({
      kind: "allowed",
      text,
      replaced: false,
    });
    expect(world.diagnostics("guard")).toEqual([
      "intercept assistant_message: the frame would exceed the protocol's limit; allowing",
    ]);
  });
});

test("an event too long for a frame is missed, which the diagnostics say", async () => {
  await using world = await HostWorld.of({
    a: { registrations: [{ type: "subscribe", events: ["assistant_message"] }] },
  });
  world.host.events.emit("assistant_message", { text: "x".repeat(FRAME_MAX_BYTES) });
  world.host.events.emit("assistant_message", { text: "short" });
  await world.frame("a", { type: "event", text: "short" });
  expect(world.framesOf("a", "event")).toHaveLength(1);
  expect(world.diagnostics("a")).toEqual(["event: the frame would exceed the protocol's limit; not sent"]);
});
