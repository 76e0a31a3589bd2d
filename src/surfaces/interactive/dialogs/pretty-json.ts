const INDENT = "  ";
/** Deeper than anybody reads; more would cost a screen of blanks for every row. */
const INDENTS_MAX = 16;

/**
 * JSON for reading, from its text: numbers and repeated keys stay as they are, where parsing and printing would round and drop
 * them. Strings are written plainly, so that an escaped letter is not a disguise. `json` is valid and compact (`RawJson.text`).
 */
export function prettyJson(json: string): string {
  const parts: string[] = [];
  let depth = 0;
  let at = 0;
  while (at < json.length) {
    const char = json.charAt(at);
    if (char === '"') {
      const end = stringEnd(json, at);
      parts.push(JSON.stringify(JSON.parse(json.slice(at, end))));
      at = end;
      continue;
    }
    const isEmpty = json[at + 1] === "}" || json[at + 1] === "]";
    if ((char === "{" || char === "[") && isEmpty) {
      parts.push(json.slice(at, at + 2));
      at += 2;
      continue;
    }
    if (char === "{" || char === "[") depth += 1;
    if (char === "}" || char === "]") depth -= 1;
    parts.push(spaced(char, `\n${INDENT.repeat(Math.min(depth, INDENTS_MAX))}`));
    at += 1;
  }
  return parts.join("");
}

function spaced(char: string, newLine: string): string {
  if (char === ":") return ": ";
  if (char === "{" || char === "[" || char === ",") return char + newLine;
  return char === "}" || char === "]" ? newLine + char : char;
}

/** Behind the closing quote of the string that starts at `start`. */
function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}
