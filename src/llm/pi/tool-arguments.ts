import type { JsonObject } from "@earendil-works/pi-ai";
import { parseExact, wellFormed } from "./exact-json.ts";

/**
 * What a model writes for "no arguments": nothing, blanks, or `null`. Such a call is a call with `{}`.
 */
export function settledArguments(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || trimmed === "null" ? "{}" : text;
}

/** True while the text may still turn out to mean "no arguments". */
export function mayBeEmpty(text: string): boolean {
  return "null".startsWith(text.trim());
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The arguments as history must carry them: services insist on a JSON object, so text that is none goes back as `{}` (the
 * tool's error result next to it tells the model what it wrote).
 * @param exact keep numbers digit for digit; only for APIs whose adapter hands the value to `JSON.stringify` untouched
 */
export function replayedArguments(text: string, exact: boolean): JsonObject {
  try {
    const parsed = wellFormed(exact ? parseExact(text) : JSON.parse(text));
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    // SyntaxError: the model wrote no JSON. RangeError: nested beyond what any service takes. Both are told by the result.
    return {};
  }
}
