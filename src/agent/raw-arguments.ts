import { RawJson } from "../wire/raw-json.ts";
import { parseArguments } from "./tools/raw-arguments.ts";

/**
 * What a model wrote as the arguments of a call: a JSON object as raw text, or what is wrong with it in words for the
 * model. A call with a fault never runs and asks no guard (extension-host.md §9.3, defect 19).
 */
export function readArguments(text: string): { readonly args: RawJson } | { readonly fault: string } {
  const parsed = parseArguments(text);
  if (!parsed.ok) return { fault: parsed.message };
  const trimmed = text.trim();
  return { args: RawJson.parse(trimmed === "" || trimmed === "null" ? "{}" : trimmed) };
}
