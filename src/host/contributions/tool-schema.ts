import { TOOL_SCHEMA_MAX_DEPTH } from "../../wire/limits.ts";
import { nestingDepth, RawJson } from "../../wire/raw-json.ts";
import { schemaFault } from "./schema-fault.ts";

const EMPTY_OBJECT_SCHEMA = '{"type":"object","properties":{}}';

/** A tool schema that providers accept, or why there is none. */
export type CheckedSchema = { readonly schema: RawJson } | { readonly fault: string };

/**
 * Checks what came as `register_tool.schema` (extension-host.md §3.1, §4.2). Nothing at all means no parameters, an
 * object schema without `properties` gets empty ones; anything that services refuse is refused here, so that one bad
 * tool cannot make every request of the session fail.
 */
export function checkToolSchema(raw: RawJson | undefined): CheckedSchema {
  if (raw === undefined || raw.text === "null" || raw.text === "{}")
    return { schema: RawJson.parse(EMPTY_OBJECT_SCHEMA) };
  if (nestingDepth(raw.text) > TOOL_SCHEMA_MAX_DEPTH)
    return { fault: `schema is nested deeper than ${TOOL_SCHEMA_MAX_DEPTH} levels` };
  const value = raw.value();
  if (!isObject(value)) return { fault: "schema is not a JSON object" };
  for (const keyword of ["anyOf", "oneOf", "allOf", "enum", "not", "$ref"]) {
    if (Object.hasOwn(value, keyword))
      return { fault: `schema has ${keyword} at its top level, which providers refuse` };
  }
  const { type, properties } = value;
  if (type !== undefined && type !== "object")
    return { fault: `schema type is ${JSON.stringify(type)}, must be "object"` };
  const fault = schemaFault(value);
  if (fault !== undefined) return { fault };
  if (type === "object" && isObject(properties)) return { schema: raw };
  const { properties: _unused, type: _same, ...rest } = value;
  return { schema: RawJson.of({ type: "object", properties: isObject(properties) ? properties : {}, ...rest }) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
