/** JSON text of an object that enters a frame digit for digit. */
export class RawJson {
  readonly text: string;

  /** Throws `SyntaxError` when `text` is not JSON. */
  constructor(text: string) {
    JSON.parse(text);
    // Valid JSON has line breaks outside strings only, where they mean nothing; inside a frame they would end it.
    this.text = text.replace(/[\r\n]/g, " ");
  }
}

/**
 * The text of one top-level member of a JSON object, exactly as it stands there: `JSON.parse` rounds integers above
 * 2^53. The last one wins when a key is repeated, as it does in `JSON.parse`. `json` must be a valid JSON object.
 */
export function rawMember(json: string, key: string): string | undefined {
  let found: string | undefined;
  let at = skipBlanks(json, json.indexOf("{") + 1);
  while (json[at] === '"') {
    const nameEnd = skipString(json, at);
    const start = skipBlanks(json, json.indexOf(":", nameEnd) + 1);
    const end = skipValue(json, start);
    if (JSON.parse(json.slice(at, nameEnd)) === key) found = json.slice(start, end);
    at = skipBlanks(json, end);
    if (json[at] === ",") at = skipBlanks(json, at + 1);
  }
  return found;
}

function skipBlanks(json: string, from: number): number {
  let at = from;
  while (at < json.length && " \t\r\n".includes(json.charAt(at))) at += 1;
  return at;
}

/** The place behind the string whose opening quote is at `from`. */
function skipString(json: string, from: number): number {
  let at = from;
  for (;;) {
    at = json.indexOf('"', at + 1);
    if (at === -1) throw new SyntaxError("unterminated string");
    let escapes = 0;
    while (json[at - 1 - escapes] === "\\") escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
}

function skipValue(json: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < json.length) {
    const char = json.charAt(at);
    if (char === '"') {
      at = skipString(json, at);
      if (depth === 0) return at;
      continue;
    }
    if (depth === 0 && ",}] \t\r\n".includes(char)) return at;
    if (char === "{" || char === "[") depth += 1;
    if (char === "}" || char === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
    at += 1;
  }
  return at;
}
