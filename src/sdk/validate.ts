import { isRecord } from "./frames.ts";
import { ARGUMENT_FAULTS_MAX, VALUE_PREVIEW_CHARS } from "./limits.ts";
import type { FromSchema, JsonSchema, JsonType } from "./schema.ts";

/**
 * Checks `value` against the keywords of `JsonSchema`. On a mismatch `faults` gets up to `ARGUMENT_FAULTS_MAX` texts
 * such as `items[2].name: expected string, got 7`; `root` stands for the whole value there.
 */
export function isValid<const S extends JsonSchema>(
  schema: S,
  value: unknown,
  faults: string[],
  root = "arguments",
): value is FromSchema<S> {
  for (const fault of faultsOf(schema, value, "", root)) {
    faults.push(fault);
    if (faults.length === ARGUMENT_FAULTS_MAX) break;
  }
  return faults.length === 0;
}

function* faultsOf(schema: JsonSchema, value: unknown, path: string, root = path): Generator<string, void, undefined> {
  const wanted = mismatch(schema, value);
  if (wanted !== undefined) {
    yield `${root}: expected ${wanted}, got ${preview(value)}`;
    return;
  }
  if (isRecord(value)) yield* objectFaults(schema, value, path);
  if (Array.isArray(value) && isRecord(schema.items)) {
    for (const [index, item] of value.entries()) yield* faultsOf(schema.items, item, `${path}[${index}]`);
  }
}

function* objectFaults(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
): Generator<string, void, undefined> {
  const properties = schema.properties ?? {};
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) yield `${member(path, key)}: required`;
  }
  for (const [key, item] of Object.entries(value)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property !== undefined) yield* faultsOf(property, item, member(path, key));
    else if (schema.additionalProperties === false) yield `${member(path, key)}: unknown property`;
  }
}

/** What was wanted in place of `value`, looking at this level only; undefined when it fits. */
function mismatch(schema: JsonSchema, value: unknown): string | undefined {
  if (schema.const !== undefined && value !== schema.const) return preview(schema.const);
  if (schema.enum?.every((allowed) => allowed !== value) === true) {
    return `one of ${schema.enum.map((allowed) => preview(allowed)).join(", ")}`;
  }
  if (schema.type === undefined) return undefined;
  const types: readonly JsonType[] = typeof schema.type === "string" ? [schema.type] : schema.type;
  return types.some((type) => isOfType(type, value)) ? undefined : types.join(" or ");
}

function isOfType(type: JsonType, value: unknown): boolean {
  switch (type) {
    case "object":
      return isRecord(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      // Written in plain JavaScript and not a type of JSON Schema: nothing can be said against the value.
      return true;
  }
}

function member(path: string, key: string): string {
  if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${path}[${preview(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}

function preview(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > VALUE_PREVIEW_CHARS ? `${text.slice(0, VALUE_PREVIEW_CHARS)}…` : text;
}
