import { describe, expect, test } from "bun:test";
import { readToolResult } from "../../src/host/contributions/tool-result.ts";
import { parseFrame } from "../../src/wire/frames.ts";

const PNG = "iVBORw0KGgo=";

function read(fields: object | string) {
  const line = typeof fields === "string" ? fields : JSON.stringify({ type: "tool_result", id: "t1", ...fields });
  const parsed = parseFrame(line);
  if (parsed.kind !== "frame") throw new Error(line);
  return readToolResult("E", parsed.frame, line);
}

const text = (content: string) => ({ type: "text" as const, text: content });

test("arrays inside each other, 100,000 deep, take no longer than their text", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  const started = performance.now();
  expect(read(`{"type":"tool_result","id":"t1","content":[${`${deep},`.repeat(10)}5]}`).isError).toBe(true);
  // Printing one of them takes more than half a second before it overflows the stack.
  expect(performance.now() - started).toBeLessThan(2_000);
});

describe("content", () => {
  const nothing = { content: [text("(extension returned no content)")], isError: false };
  const cases: Record<string, { content: unknown; result: object }> = {
    "keeps its order, unknown blocks named": {
      content: [text("a"), { type: "image", mime_type: "image/png", data: PNG }, { type: "video" }, text("b")],
      result: {
        content: [
          text("a"),
          { type: "image", mimeType: "image/png", data: PNG },
          text('[unknown block type "video" from extension E]'),
          text("b"),
        ],
        isError: false,
      },
    },
    "of nothing says so": { content: [], result: nothing },
    "of null says so": { content: null, result: nothing },
    "of blanks says so": { content: [text(""), text(" \n")], result: nothing },
    "may be one block": { content: text("a"), result: { content: [text("a")], isError: false } },
    "may be a bare string": { content: "a", result: { content: [text("a")], isError: false } },
    "may hold strings and untyped text": {
      content: ["a", "", { text: "b" }],
      result: { content: [text("a"), text("b")], isError: false },
    },
    "drops empty texts": { content: [text(""), text("a")], result: { content: [text("a")], isError: false } },
    "that is no block is an error that shows it": {
      content: [5, { type: 5 }, null],
      result: {
        content: [
          text("[malformed content block from extension E: 5]"),
          text('[malformed content block from extension E: {"type":5}]'),
          text("[malformed content block from extension E: null]"),
        ],
        isError: true,
      },
    },
    "that is nested without end is shown as far as anybody reads": {
      content: [[[[[[5]]]]], { a: { b: { c: { d: 5 } } } }],
      result: {
        content: [
          text('[malformed content block from extension E: [[["…"]]]]'),
          text('[malformed content block from extension E: {"a":{"b":{"c":"…"}}}]'),
        ],
        isError: true,
      },
    },
    "with text that is no string is an error": {
      content: [{ type: "text", text: 5 }],
      result: { content: [text("[text block from extension E is not a string: 5]")], isError: true },
    },
    "with a broken image is an error that names the extension": {
      content: [{ type: "image", mime_type: "image/png", data: "%%%" }],
      result: {
        content: [text("[image from extension E could not be decoded: data is not base64]")],
        isError: true,
      },
    },
    "with an image of another kind is an error": {
      content: [{ type: "image", mime_type: "image/tiff", data: PNG }],
      result: { content: [text('[image from extension E has the unsupported type "image/tiff"]')], isError: true },
    },
    "is made well-formed": {
      content: ["\ud800", text("\ud800")],
      result: { content: [text("\ufffd"), text("\ufffd")], isError: false },
    },
  };
  for (const [name, { content, result }] of Object.entries(cases)) {
    test(name, () => {
      expect(read({ content })).toMatchObject(result);
    });
  }

  test("absent is nothing", () => {
    expect(read({})).toMatchObject(nothing);
  });

  test("beyond a thousand blocks is counted, not kept", () => {
    const { content } = read({ content: Array(1_500).fill(text("x")) });
    expect(content).toHaveLength(1_001);
    expect(content.at(-1)).toEqual(text("[500 more content blocks omitted]"));
  });
});

test("is_error makes an error, and only true does", () => {
  expect([true, false, 1, "true", null].map((is_error) => read({ content: "x", is_error }).isError)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("activate_tools are names, whatever else is among them", () => {
  expect(read({ activate_tools: ["a", 5, null, "b"] }).activate).toEqual(["a", "b"]);
  expect(read({ activate_tools: "a" }).activate).toEqual([]);
  expect(read({}).activate).toEqual([]);
});

describe("details", () => {
  test("keep their digits, the last of two counts", () => {
    const line = '{"type":"tool_result","id":"t1","details":1,"content":[],"details": {"n" : 12345678901234567890}}';
    expect(read(line).details?.text).toBe('{"n":12345678901234567890}');
  });

  test("of null are not the same as none", () => {
    expect(read({ details: null }).details?.text).toBe("null");
    expect(read({}).details).toBeUndefined();
  });
});
