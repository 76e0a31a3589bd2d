/**
 * JSON as text. What belongs to somebody else (tool arguments, extension state, metadata of another host) is cut out of
 * a row and put into another one as it stands: printing it anew would round its numbers (extension-host.md §0 rule 5).
 */

/** A JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The elements of an array as raw text. `json` must be valid. */
export function rawElements(json: string): string[] {
  return topLevelParts(json);
}

/** The members of an object as raw text; of a repeated key the last one, as in `JSON.parse`. `json` must be valid. */
export function rawMembers(json: string): Map<string, string> {
  const members = new Map<string, string>();
  for (const part of topLevelParts(json)) {
    const keyEnd = stringEnd(part, 0);
    const key: unknown = JSON.parse(part.slice(0, keyEnd));
    members.set(String(key), part.slice(part.indexOf(":", keyEnd) + 1).trim());
  }
  return members;
}

/** What stands between the commas of the outermost array or object. No recursion, so depth cannot overflow the stack. */
function topLevelParts(json: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (char === '"') {
      at = stringEnd(json, at) - 1;
      continue;
    }
    if (char === "{" || char === "[") {
      depth += 1;
      if (depth === 1) from = at + 1;
    }
    if (char === "}" || char === "]") depth -= 1;
    const isPartEnd = (char === "," && depth === 1) || ((char === "}" || char === "]") && depth === 0);
    if (!isPartEnd) continue;
    const part = json.slice(from, at).trim();
    if (part !== "") parts.push(part);
    from = at + 1;
  }
  return parts;
}

/** The index behind the string that starts at `from`. */
function stringEnd(json: string, from: number): number {
  let at = from;
  for (;;) {
    at = json.indexOf('"', at + 1);
    if (at === -1) return json.length;
    let backslashes = 0;
    while (json[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
}
