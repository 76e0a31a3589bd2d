import { RawJson } from "../wire/raw-json.ts";

const PREVIEW_CHARS = 200;

/**
 * What a model wrote as the arguments of a call: a JSON object as raw text, or what is wrong with it in words for the
 * model. Nothing at all and `null` mean no arguments. A call with a fault never runs and asks no guard (defect 19).
 */
export function readArguments(text: string): { readonly args: RawJson } | { readonly fault: string } {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "null") return { args: RawJson.parse("{}") };
  let args: RawJson;
  try {
    args = RawJson.parse(trimmed);
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : String(error);
    return { fault: `invalid args: not valid JSON (${reason}): ${preview(trimmed)}` };
  }
  return args.isObject ? { args } : { fault: `invalid args: must be a JSON object, got: ${preview(trimmed)}` };
}

function preview(text: string): string {
  return text.length > PREVIEW_CHARS ? `${text.slice(0, PREVIEW_CHARS)}… (${text.length} characters)` : text;
}
