import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Attachment } from "../../src/host/attachment.ts";
import { Contributions } from "../../src/host/contributions/contributions.ts";
import { frameTable } from "../../src/host/frame-table.ts";
import type { HostFrameType } from "../../src/wire/frames.ts";
import { HostWorld, type ReceivedFrame } from "../support/host.ts";
import { unstartedExtension } from "../support/unstarted-extension.ts";
import { Author } from "./reference/author.ts";
import { GREETING, play } from "./reference/effects.ts";
import { examplesOf, reference } from "./reference/examples.ts";
import { hostFrames } from "./reference/host-frames.ts";

setDefaultTimeout(30_000);

const examples = examplesOf(reference());
const greeting = examples.filter(({ frame }) => GREETING.has(frame.type));

describe("the protocol reference", () => {
  test("means what it says in every frame of an extension, and none of them is a fault", async () => {
    await using world = await HostWorld.create();
    const author = new Author(world, greeting);
    await world.start();
    expect(world.loadErrors).toEqual([]);
    for (const example of examples.filter(({ from }) => from === "extension")) {
      await play(author, example);
      expect([example.line, world.diagnostics(author.name)]).toEqual([example.line, []]);
    }
  });

  test("shows frames of the host with the very members that real ones have", async () => {
    const toolResult = examples.find(({ frame }) => frame.type === "tool_result" && frame["details"] !== undefined);
    if (toolResult === undefined) throw new Error("no example of details");
    const real = (await hostFrames(greeting, toolResult)).map(shapeOf);
    for (const { line, frame } of examples.filter(({ from }) => from === "host")) {
      const kin = real.filter(({ type, event }) => type === frame.type && event === frame["event"]);
      expect([line, kin.map(({ members }) => members)]).toEqual([
        line,
        expect.arrayContaining([shapeOf(frame).members]),
      ]);
    }
  });

  test("leaves out no type of frame", () => {
    const rooms = new Contributions({ commands: new Set(), tools: new Set() }, new Attachment());
    const fromExtension = [...frameTable(unstartedExtension("a", 1), rooms).keys(), ...FIRST_AND_ANSWERS];
    expect(typesFrom("extension")).toEqual(fromExtension.toSorted());
    expect(typesFrom("host")).toEqual(Object.keys(FROM_HOST).toSorted());
  });

  test("has every JSON line run by one of these tests", () => {
    const blocks = reference().matchAll(/^```json\n([\s\S]*?)^```$/gm);
    const lines = [...blocks].flatMap(([, block = ""]) => block.trim().split("\n"));
    expect(examples.map(({ line }) => line)).toEqual(lines);
    expect(new Set(examples.map(({ from }) => from))).toEqual(new Set(["extension", "host"]));
  });
});

/** What comes before the table of frames, and what goes to open calls past it. */
const FIRST_AND_ANSWERS = [
  "hello",
  "command_response",
  "tool_update",
  "tool_result",
  "event_intercept_response",
  "uri_result",
];

/** A record, so that a new type cannot be forgotten. */
const FROM_HOST: Readonly<Record<HostFrameType, true>> = {
  hello_ack: true,
  command_invoked: true,
  tool_call: true,
  tool_cancel: true,
  event: true,
  event_intercept: true,
  panel_key: true,
  panel_resize: true,
  panel_close: true,
  extension_ui_response: true,
  uri_request: true,
  uri_cancel: true,
  shutdown: true,
};

function typesFrom(sender: "extension" | "host"): string[] {
  const types = examples.filter(({ from }) => from === sender).map(({ frame }) => frame.type);
  return [...new Set(types)].toSorted();
}

/** The names of all members and the kind of their values, in their order: authors may rely on type and id coming first. */
function shapeOf(frame: ReceivedFrame) {
  const members = Object.entries(frame).map(([key, value]) => `${key}: ${kindOf(value)}`);
  return { type: frame["type"], event: frame["event"], members };
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return value === null ? "null" : typeof value;
}
