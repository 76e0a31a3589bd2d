import { describe, expect, test } from "bun:test";
import { checkToolSchema } from "../../src/host/contributions/tool-schema.ts";
import { RawJson } from "../../src/wire/raw-json.ts";

function check(text: string | undefined): string {
  const checked = checkToolSchema(text === undefined ? undefined : RawJson.parse(text));
  return "fault" in checked ? `! ${checked.fault}` : checked.schema.text;
}

const EMPTY = '{"type":"object","properties":{}}';

describe("a schema", () => {
  const cases: [string | undefined, string][] = [
    [undefined, EMPTY],
    ["null", EMPTY],
    ["{}", EMPTY],
    ['{"type":"object"}', EMPTY],
    ['{"properties":null}', EMPTY],
    ['{"required":["a"],"properties":{"a":true}}', '{"type":"object","properties":{"a":true},"required":["a"]}'],
    ["5", "! schema is not a JSON object"],
    ["[]", "! schema is not a JSON object"],
    ['{"type":"string"}', '! schema type is "string", must be "object"'],
    ['{"type":["object","null"]}', '! schema type is ["object","null"], must be "object"'],
    ['{"type":"object","properties":[]}', "! schema.properties is not an object of schemas"],
    ['{"type":"object","properties":{"a":5}}', "! schema.properties.a is not a schema"],
    ['{"anyOf":[{"type":"object"}]}', "! schema has anyOf at its top level, which providers refuse"],
    ['{"$ref":"#/x"}', "! schema has $ref at its top level, which providers refuse"],
  ];
  for (const [given, expected] of cases) {
    test(`${given ?? "that is absent"} → ${expected}`, () => {
      expect(check(given)).toBe(expected);
    });
  }

  test("that nobody could print is refused before anybody tries", () => {
    const nested = (levels: number): string =>
      `{"type":"object","properties":${'{"a":'.repeat(levels)}{}${"}".repeat(levels)}}`;
    expect(check(nested(97))).toBe(nested(97));
    expect(check(nested(100_000))).toBe("! schema is nested deeper than 100 levels");
  });

  test("that is whole travels as it came, digits, order and all", () => {
    const whole = '{"type":"object","properties":{"b":{"maximum":12345678901234567890},"2":{},"1":{"anyOf":[{}]}}}';
    expect(check(whole)).toBe(whole);
  });
});
