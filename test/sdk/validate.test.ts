import { describe, expect, test } from "bun:test";
import type { JsonSchema } from "../../src/sdk/api.ts";
import { isValid } from "../../src/sdk/validate.ts";

function faults(schema: JsonSchema, value: unknown): readonly string[] {
  const found: string[] = [];
  expect(isValid(schema, value, found)).toBe(found.length === 0);
  return found;
}

const person: JsonSchema = {
  type: "object",
  properties: { name: { type: "string" }, pets: { type: "array", items: { type: "object", required: ["kind"] } } },
  required: ["name"],
};

describe("arguments against their schema", () => {
  test.each<[JsonSchema, unknown]>([
    [{}, undefined],
    [{ type: "integer" }, 5],
    [{ type: "integer" }, 1e300],
    [{ type: "number" }, 0.5],
    [{ type: "null" }, null],
    [{ type: ["string", "null"] }, null],
    [{ enum: ["a", 1, null] }, 1],
    [{ const: 0 }, 0],
    [{ type: "array" }, []],
    [{ type: "object", properties: { a: { type: "string" } } }, {}],
    [{ type: "object", additionalProperties: { type: "string" } }, { any: 1 }],
    [person, { name: "x", pets: [{ kind: "cat" }], more: true }],
  ])("%j accepts %j", (schema, value) => {
    expect(faults(schema, value)).toEqual([]);
  });

  test.each<[JsonSchema, unknown, string]>([
    [{ type: "integer" }, 1.5, "arguments: expected integer, got 1.5"],
    [{ type: "integer" }, "1", 'arguments: expected integer, got "1"'],
    [{ type: "boolean" }, "true", 'arguments: expected boolean, got "true"'],
    [{ type: "object" }, [], "arguments: expected object, got []"],
    [{ type: "object" }, null, "arguments: expected object, got null"],
    [{ type: "array" }, { length: 0 }, 'arguments: expected array, got {"length":0}'],
    [{ type: ["string", "null"] }, 1, "arguments: expected string or null, got 1"],
    [{ enum: ["a", "b"] }, "c", 'arguments: expected one of "a", "b", got "c"'],
    [{ const: "x" }, "y", 'arguments: expected "x", got "y"'],
    [person, { pets: 1 }, "name: required"],
    [person, { name: "x", pets: [{ kind: "a" }, {}] }, "pets[1].kind: required"],
    [{ type: "object", properties: {}, additionalProperties: false }, { "a b": 1 }, '["a b"]: unknown property'],
    [{ type: "object", required: ["toString"] }, {}, "toString: required"],
  ])("%j refuses %j and names the place", (schema, value, fault) => {
    expect(faults(schema, value)).toContain(fault);
  });

  test("members of the prototype are neither present nor checked", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":5}');
    const schema: JsonSchema = { type: "object", properties: { a: { type: "string" } }, additionalProperties: false };
    expect(faults(schema, value)).toEqual(["__proto__: unknown property", "constructor: unknown property"]);
  });

  test("a text about many faults, or a huge value, stays short", () => {
    const value = Array.from({ length: 1_000 }, () => "x".repeat(10_000));
    const found = faults({ type: "array", items: { type: "number" } }, value);
    expect(found).toHaveLength(5);
    expect(found.join("").length).toBeLessThan(600);
  });
});
