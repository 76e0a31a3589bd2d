/** Characters of the model's text that an error shows. */
const PREVIEW_LENGTH = 200;
/** Deeper values overflow the stack of whoever walks them recursively. */
const MAX_DEPTH = 200;

export type ParsedArguments =
  | { readonly ok: true; readonly args: Record<string, unknown> }
  | { readonly ok: false; readonly message: string };

/**
 * Tool arguments as the model wrote them, as an object. Nothing, blanks and `null` are what models send for a tool
 * without parameters and count as `{}`. `__proto__` keys are dropped at every depth: no schema means them, and a
 * copy made by plain assignment would change a prototype.
 */
export function parseArguments(rawText: string): ParsedArguments {
  const text = rawText.trim();
  if (text === "") return { ok: true, args: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const problem = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : String(error);
    return { ok: false, message: `invalid JSON arguments: ${problem}; got: ${preview(text)}` };
  }
  if (value === null) return { ok: true, args: {} };
  if (!isRecord(value)) {
    return { ok: false, message: `invalid JSON arguments: not an object; got: ${preview(text)}` };
  }
  if (!dropProtoKeys(value)) return { ok: false, message: `invalid args: nested deeper than ${MAX_DEPTH} levels` };
  return { ok: true, args: value };
}

/** A JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** False when the value is nested too deeply to be handled. Walks level by level, so it needs no stack itself. */
function dropProtoKeys(root: Record<string, unknown>): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return false;
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
      for (const child of Object.values(value)) if (typeof child === "object") next.push(child);
    }
    level = next;
  }
  return true;
}

function preview(text: string): string {
  const shown = Array.from(text.slice(0, 2 * PREVIEW_LENGTH))
    .slice(0, PREVIEW_LENGTH)
    .join("");
  return shown.length < text.length ? `${shown}...` : shown;
}
