import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodeFrame } from "../../src/wire/encode.ts";
import { parseFrame } from "../../src/wire/frames.ts";
import { RawJson } from "../../src/wire/raw-json.ts";

describe("an outgoing frame", () => {
  test("is one compact line with type first and id second, whatever the order of its fields", () => {
    expect(encodeFrame("tool_call", { name: "t", args: RawJson.parse('{ "a": 1 }'), id: "t1" })).toBe(
      '{"type":"tool_call","id":"t1","name":"t","args":{"a":1}}\n',
    );
    expect(encodeFrame("shutdown")).toBe('{"type":"shutdown"}\n');
  });

  test("leaves out what is undefined and carries raw JSON digit for digit", () => {
    expect(
      encodeFrame("event", { event: "x", step: undefined, tool_args: RawJson.parse('{"n":12345678901234567890}') }),
    ).toBe('{"type":"event","event":"x","tool_args":{"n":12345678901234567890}}\n');
  });

  test("replaces lone surrogates, also nested ones, and escapes no angle brackets", () => {
    const line = encodeFrame("event", { text: "a\ud800b", nested: [{ text: "\udfff<&>" }] });
    expect(line).toBe('{"type":"event","text":"a\uFFFDb","nested":[{"text":"\uFFFD<&>"}]}\n');
  });

  test("is one line that parses back, for every text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.dictionary(fc.string(), fc.jsonValue()), (text, extra) => {
        const line = encodeFrame("t", { ...extra, text });
        expect(line.indexOf("\n")).toBe(line.length - 1);
        const parsed = parseFrame(line.trimEnd());
        expect(parsed.kind === "frame" && parsed.frame["text"]).toBe(text.toWellFormed());
      }),
    );
  });
});

describe("one incoming line", () => {
  test.each([
    ["5", "malformed"],
    ['"x"', "malformed"],
    ["[]", "malformed"],
    ["{", "malformed"],
    ["", "malformed"],
    ["\uFEFF{}", "malformed"],
    ["null", "untyped"],
    ["{}", "untyped"],
    ['{"type":null}', "untyped"],
    ['{"type":5}', "untyped"],
    ['{"__proto__":{"type":"ready"}}', "untyped"],
    ['{"type":"constructor"}', "frame"],
  ])("%p is %s", (line, kind) => {
    expect(parseFrame(line).kind).toEqual(expect.stringMatching(kind));
  });
});
