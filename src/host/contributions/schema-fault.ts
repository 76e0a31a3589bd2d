/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const SCHEMA = [
  "additionalProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "unevaluatedProperties",
];
const SCHEMAS = ["allOf", "anyOf", "oneOf", "prefixItems"];
const NAMED_SCHEMAS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

/**
 * Why a JSON Schema does not compile, with the place, or undefined when it does: unknown types, patterns that are no
 * regular expressions, references that lead nowhere. Services answer such a schema with a refusal of the whole request.
 * The depth must have been bounded before.
 */
export function schemaFault(root: Readonly<Record<string, unknown>>): string | undefined {
  return faultAt(root, root, "schema");
}

function faultAt(schema: unknown, root: unknown, at: string): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${at} is not a schema`;
  return keywordFault(schema, root, at) ?? childFault(schema, root, at);
}

function keywordFault(schema: Readonly<Record<string, unknown>>, root: unknown, at: string): string | undefined {
  const { type, pattern, required, enum: values, $ref: reference } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && (types.length === 0 || !types.every((name) => TYPES.has(name)))) {
    return `${at}.type is ${shown(type)}, which is no JSON type`;
  }
  if (pattern !== undefined && !isPattern(pattern)) return `${at}.pattern ${shown(pattern)} is no regular expression`;
  if (required !== undefined && !isTexts(required)) return `${at}.required is not a list of names`;
  if (values !== undefined && !Array.isArray(values)) return `${at}.enum is not a list`;
  if (reference !== undefined && !leadsSomewhere(reference, root))
    return `${at}.$ref ${shown(reference)} leads nowhere`;
  return undefined;
}

function childFault(schema: Readonly<Record<string, unknown>>, root: unknown, at: string): string | undefined {
  for (const [where, child] of children(schema)) {
    const fault = typeof child === "string" ? `${at}.${child}` : faultAt(child, root, `${at}.${where}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Places and what stands there; a text in the place of a schema is a fault of the keyword itself. */
function* children(schema: Readonly<Record<string, unknown>>): Generator<readonly [string, unknown]> {
  const { items } = schema;
  // A list is the tuple of older drafts.
  if (Array.isArray(items)) yield* items.map((item, index) => [`items.${index}`, noText(item)] as const);
  else if (items !== undefined) yield ["items", noText(items)];
  for (const keyword of SCHEMA) if (schema[keyword] !== undefined) yield [keyword, noText(schema[keyword])];
  for (const keyword of SCHEMAS) {
    const list = schema[keyword];
    if (list === undefined) continue;
    if (!Array.isArray(list)) yield [keyword, `${keyword} is not a list of schemas`];
    else yield* list.map((item, index) => [`${keyword}.${index}`, noText(item)] as const);
  }
  for (const keyword of NAMED_SCHEMAS) {
    const named = schema[keyword];
    if (named === undefined || named === null) continue;
    if (!isObject(named)) yield [keyword, `${keyword} is not an object of schemas`];
    else yield* Object.entries(named).map(([name, child]) => [`${keyword}.${name}`, noText(child)] as const);
    if (keyword !== "patternProperties" || !isObject(named)) continue;
    const bad = Object.keys(named).find((name) => !isPattern(name));
    if (bad !== undefined) yield [keyword, `${keyword} has ${shown(bad)}, which is no regular expression`];
  }
}

/** A text is never a schema, and must not be taken for the words of a fault. */
function noText(value: unknown): unknown {
  return typeof value === "string" ? null : value;
}

/** Authors write patterns with and without the rules of `u`; either will do. */
function isPattern(pattern: unknown): boolean {
  if (typeof pattern !== "string") return false;
  return ["u", ""].some((flags) => {
    try {
      return new RegExp(pattern, flags) !== undefined;
    } catch {
      // Not with these flags.
      return false;
    }
  });
}

/** `#` and `#/a/b` within the schema; anything else would have to be fetched. */
function leadsSomewhere(reference: unknown, root: unknown): boolean {
  if (reference === "#") return true;
  if (typeof reference !== "string" || !reference.startsWith("#/")) return false;
  let target = root;
  for (const part of reference.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(target)) target = target[Number(key)];
    else target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return target !== undefined;
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "undefined").slice(0, 80);
}
