import type { Tool } from "@earendil-works/pi-ai";
import type { ToolDefinition } from "../port.ts";
import { wellFormed } from "./exact-json.ts";
import { field } from "./inspector.ts";

/** Keywords that services refuse at the top of a tool's schema, though JSON Schema allows them. */
const REFUSED_AT_TOP = ["oneOf", "anyOf", "allOf", "not", "enum", "const", "$ref", "$schema"];

/** Tells the library of our tools, with schemas in the form that every service takes. */
export function translateTools(tools: readonly ToolDefinition[]): Tool[] {
  return tools.map(({ name, description, schema }) => ({
    name,
    description: description.toWellFormed(),
    parameters: topLevelObject(schema),
  }));
}

function topLevelObject(schema: Readonly<Record<string, unknown>>): object {
  const clean = sendable(resolved(schema));
  if (typeof clean !== "object" || clean === null) return { type: "object", properties: {} };
  const parameters: Record<string, unknown> = { ...clean, type: "object" };
  for (const keyword of REFUSED_AT_TOP) delete parameters[keyword];
  const { properties } = parameters;
  if (typeof properties !== "object" || properties === null || Array.isArray(properties)) parameters["properties"] = {};
  return parameters;
}

/** Undefined for a schema that is nested beyond what can be encoded: the tool then takes any object. */
function sendable(schema: Readonly<Record<string, unknown>>): unknown {
  try {
    return wellFormed(schema);
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

/** Generators like to write `{ "$ref": "#/definitions/Args", "definitions": … }`: the target, with the definitions. */
function resolved(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const reference = schema["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/")) return schema;
  const path = reference
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const target = field(schema, ...path);
  return typeof target === "object" && target !== null && !Array.isArray(target) ? { ...schema, ...target } : schema;
}
