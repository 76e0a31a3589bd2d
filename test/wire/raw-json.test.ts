import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { RawJson, rawMember } from "../../src/wire/raw-json.ts";

describe("raw JSON keeps what parsing would lose", () => {
  test.each([
    ["integers above 2^53", '{"n":12345678901234567890}'],
    ["the way a number is written", '{"n":1.50e+2}'],
    ["the order of integer-like keys", '{"2":1,"1":2}'],
    ["repeated keys", '{"a":1,"a":2}'],
    ["a __proto__ key", '{"__proto__":{"x":1}}'],
  ])("%s", (_what, text) => {
    expect(RawJson.parse(text).text).toBe(text);
  });

  test("only white space outside strings is taken out", () => {
    expect(RawJson.parse('{ "a b" :\n [ 1 ,\t"x \\" y" ] }').text).toBe('{"a b":[1,"x \\" y"]}');
  });

  test("the value is the same for every JSON text, however it is laid out", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2, "\t"), (value, space) => {
        const raw = RawJson.parse(JSON.stringify(value, undefined, space));
        expect(raw.text).toBe(JSON.stringify(JSON.parse(JSON.stringify(value))));
        expect(raw.text).not.toContain("\n");
      }),
    );
  });

  test("text that is not JSON is refused", () => {
    for (const text of ["", "{", "{'a':1}", "1 2", "\uFEFF{}"]) expect(() => RawJson.parse(text)).toThrow(SyntaxError);
  });
});

describe("a raw member of an object", () => {
  test("is found at the top level only, the last of repeated ones", () => {
    const line = '{"type":"x","inner":{"args":1},"s":"\\"args\\":2","args": { "n" : 1e400 } ,"args":[3, 4]}';
    expect(rawMember(line, "args")?.text).toBe("[3,4]");
    expect(rawMember(line, "inner")?.text).toBe('{"args":1}');
    expect(rawMember(line, "missing")).toBeUndefined();
    expect(rawMember("{}", "args")).toBeUndefined();
    expect(rawMember('{"a\\u0072gs":7}', "args")?.text).toBe("7");
  });

  test("equals what JSON.parse finds, for every object and every layout", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(0, 2), (object, space) => {
        const line = JSON.stringify(object, undefined, space);
        const parsed: Record<string, unknown> = JSON.parse(line);
        for (const key of Object.keys(parsed)) expect(rawMember(line, key)?.text).toBe(JSON.stringify(parsed[key]));
      }),
    );
  });

  test("a hundred thousand levels deep does not overflow the stack", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(rawMember(`{"details":${deep},"b":1}`, "b")?.text).toBe("1");
    expect(rawMember(`{"details":${deep}}`, "details")?.text).toHaveLength(200_000);
  });
});
