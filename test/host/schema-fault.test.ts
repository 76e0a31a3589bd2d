import { expect, test } from "bun:test";
import { schemaFault } from "../../src/host/contributions/schema-fault.ts";

function faultOf(property: unknown, rest: object = {}): string | undefined {
  return schemaFault({ type: "object", properties: { p: property }, ...rest });
}

test.each([
  ["an unknown type", { type: "text" }, 'schema.properties.p.type is "text", which is no JSON type'],
  ["an unknown type in a list", { type: ["string", "nil"] }, "no JSON type"],
  ["an empty list of types", { type: [] }, "no JSON type"],
  ["a pattern that is no regular expression", { type: "string", pattern: "(" }, "schema.properties.p.pattern"],
  ["a pattern that is no text", { pattern: 5 }, "no regular expression"],
  ["a reference that leads nowhere", { $ref: "#/$defs/gone" }, "leads nowhere"],
  ["a reference that would have to be fetched", { $ref: "https://example.com/s.json" }, "leads nowhere"],
  ["a property that is no schema", "string", "schema.properties.p is not a schema"],
  ["items that are no schema", { type: "array", items: 5 }, "schema.properties.p.items is not a schema"],
  ["anyOf that is no list", { anyOf: {} }, "schema.properties.p.anyOf is not a list of schemas"],
  ["a bad schema deep inside", { anyOf: [{ items: { not: { type: 5 } } }] }, "p.anyOf.0.items.not.type is 5"],
  ["a bad name pattern", { patternProperties: { "[": {} } }, "patternProperties has"],
  ["required that is no list of names", { required: ["a", 5] }, "required is not a list of names"],
  ["enum that is no list", { enum: "a" }, "enum is not a list"],
])("%s does not compile", (_what, property, text) => {
  expect(faultOf(property)).toContain(text);
});

test.each([
  ["nothing", {}],
  ["a boolean schema", true],
  ["types in a list", { type: ["string", "null"] }],
  ["a tuple of older drafts", { type: "array", items: [{ type: "string" }, { type: "number" }] }],
  ["an escape that only the plain rules allow", { type: "string", pattern: "^[\\w\\-]+$" }],
  ["a reference into the schema", { $ref: "#/$defs/a~1b" }],
  ["a reference to itself", { $ref: "#" }],
  ["a property named like a keyword", { properties: { type: { type: "string" }, $ref: { type: "string" } } }],
  ["keywords that nobody knows", { "x-order": 1, format: "uuid" }],
])("%s compiles", (_what, property) => {
  expect(faultOf(property, { $defs: { "a/b": { type: "string" } } })).toBeUndefined();
});
