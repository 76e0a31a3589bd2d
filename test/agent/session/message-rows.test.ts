import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodeMessage } from "../../../src/agent/session/message-codec.ts";
import { messageRow, parseRow } from "../../../src/agent/session/row.ts";
import type { AssistantMessage, Message } from "../../../src/llm/messages.ts";
import { RawJson } from "../../../src/wire/raw-json.ts";
import { anyMessage } from "./support/arbitrary.ts";
import { MODEL } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

const META_ROW =
  '{"type":"meta","meta":{"id":"m","cwd":"/","model":"m","provider":"p","started":"2026-01-01T00:00:00Z","version":"1"}}';

/** The message after a way through bytes, and the strict reader's blessing. */
function written(message: Message): { readonly row: string; readonly read: Message | undefined } {
  const row = messageRow(encodeMessage(message) ?? "nothing");
  const bytes = Buffer.from(`${META_ROW}\n${row}\n`);
  readStrictly(bytes);
  const line = bytes.toString("utf8").split("\n")[1] ?? "";
  const parsed = parseRow(line, { provider: "", model: "" });
  const isMessage = parsed?.type === "message" && parsed.decoded.kind === "message" && parsed.decoded.isWhole;
  return { row, read: isMessage && parsed.decoded.kind === "message" ? parsed.decoded.message : undefined };
}

function withCall(args: string): AssistantMessage {
  return {
    role: "assistant",
    content: [{ type: "tool_call", id: "c", name: "n", arguments: args }],
    time: 0,
    ...MODEL,
  };
}

function argumentsOf(message: Message | undefined): string | undefined {
  const [block] = message?.content ?? [];
  return block?.type === "tool_call" ? block.arguments : undefined;
}

/** Line breaks between tokens cannot stand in a row; that is all that may change. */
function onOneLine(message: Message): Message {
  if (message.role !== "assistant") return message;
  const content = message.content.map((block) => {
    if (block.type !== "tool_call") return block;
    const isPadded = block.arguments.trim() !== block.arguments || /[\r\n]/.test(block.arguments);
    if (!isPadded || !isObject(block.arguments)) return block;
    return { ...block, arguments: RawJson.parse(block.arguments).text };
  });
  return { ...message, content };
}

function isObject(text: string): boolean {
  try {
    return RawJson.parse(text).isObject;
  } catch {
    // Not JSON: stored as text.
    return false;
  }
}

describe("message rows", () => {
  test("every message comes back as it was, and the strict reader takes it", () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        expect(written(message).read).toEqual(onOneLine(message));
      }),
      { numRuns: 1_000 },
    );
  });

  test("arguments are carried digit for digit", () => {
    const args = '{"big":9007199254740993,"2":1,"1":2,"same":1,"same":2, "e":1E+400, "z":-0}';
    const { row, read } = written(withCall(args));
    expect(row).toContain(`"arguments":${args}`);
    expect(argumentsOf(read)).toBe(args);
  });

  test.each(["", "null", "[1]", '"str"', "5", '{"a":1,}', '{"x": \'bad', '{"a":1}{"b":2}', '{"a":"line\nraw"}'])(
    "arguments %j, no JSON object, stand beside an empty one and can be recovered",
    (args) => {
      const { row, read } = written(withCall(args));
      expect(row).toContain('"arguments":{}');
      expect(argumentsOf(read)).toBe(args);
    },
  );

  test("arguments nested deeper than a strict reader goes are kept as text", () => {
    const args = `{"a":${"[".repeat(9_999)}${"]".repeat(9_999)}}`;
    expect(argumentsOf(written(withCall(args)).read)).toBe(args);
  });

  test("a text block carries none of the keys that would make it another block", () => {
    const { row } = written({ role: "user", content: [{ type: "text", text: "hi", signature: "sig" }], time: 0 });
    const block: unknown = JSON.parse(row).message.content[0];
    expect(block).toEqual({ text: "hi", signature: "sig" });
  });

  test("a provider token never stands where zut would send it back to a service", () => {
    const { row, read } = written({
      role: "assistant",
      content: [{ type: "reasoning", text: "", redacted: true, signature: "openai-responses {}" }],
      time: 0,
      ...MODEL,
    });
    expect(row).not.toContain("encrypted_content");
    expect(read?.content).toEqual([{ type: "reasoning", text: "", redacted: true, signature: "openai-responses {}" }]);
  });

  test("what a strict reader refuses is mended on the way out", () => {
    const image = { type: "image", mimeType: "", data: "not base64!" } as const;
    const call = { type: "tool_call", id: "", name: "", arguments: "{}" } as const;
    const result = { type: "tool_result", callId: "", content: [], isError: true } as const;
    expect(written({ role: "user", content: [image], time: Number.NaN }).read?.time).toBe(0);
    const asked = written({ role: "assistant", content: [call], time: 8.64e15, ...MODEL }).read?.content[0];
    const answered = written({ role: "tool", content: [result], time: 0 }).read?.content[0];
    if (asked?.type !== "tool_call" || answered?.type !== "tool_result") throw new Error("blocks were lost");
    expect(answered.callId).toBe(asked.id);
    expect(answered.content).toEqual([{ type: "text", text: "" }]);
  });

  test("a message that says nothing has no row", () => {
    expect(encodeMessage({ role: "user", content: [], time: 0 })).toBeUndefined();
    const reasoning = [{ type: "reasoning", text: "" } as const];
    expect(encodeMessage({ role: "assistant", content: reasoning, time: 0, ...MODEL })).toBeUndefined();
  });
});
