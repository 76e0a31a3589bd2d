/**
 * JSON text that belongs to somebody else and travels unchanged: tool arguments, schemas, extension state.
 * Parsing and printing it again would round integers above 2^53, reorder integer-like keys and drop duplicate keys
 * (extension-host.md §0 rule 5), so only insignificant white space is ever taken out.
 */
export class RawJson {
  /** Valid JSON on one line. */
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Checks and compacts `text`; throws `SyntaxError` when it is not JSON. */
  static parse(text: string): RawJson {
    JSON.parse(text);
    return new RawJson(compact(text));
  }

  /** Wraps a value of our own. */
  static of(value: unknown): RawJson {
    return new RawJson(JSON.stringify(value) ?? "null");
  }

  /** What `JSON.parse` makes of it; big numbers lose digits, so use it for looking, never for passing on. */
  value(): unknown {
    return JSON.parse(this.text);
  }

  get isObject(): boolean {
    return this.text.startsWith("{");
  }
}

/**
 * The raw text of one top-level member of a JSON object; the last one wins when a key is repeated, as it does in
 * `JSON.parse`. Undefined when there is none. `json` must be a valid JSON object.
 */
export function rawMember(json: string, key: string): RawJson | undefined {
  let found: string | undefined;
  let at = skipSpace(json, json.indexOf("{") + 1);
  while (at < json.length && json[at] !== "}") {
    const keyEnd = skipString(json, at);
    const name: unknown = JSON.parse(json.slice(at, keyEnd));
    const start = skipSpace(json, json.indexOf(":", keyEnd) + 1);
    const end = skipValue(json, start);
    if (name === key) found = json.slice(start, end);
    at = skipSpace(json, end);
    if (json[at] === ",") at = skipSpace(json, at + 1);
  }
  return found === undefined ? undefined : RawJson.parse(found);
}

/** How many arrays and objects stand inside each other. `json` must be valid. */
export function nestingDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let at = 0;
  while (at < json.length) {
    const char = json.charAt(at);
    if (char === '"') {
      at = skipString(json, at);
      continue;
    }
    if (char === "{" || char === "[") {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (char === "}" || char === "]") depth -= 1;
    at += 1;
  }
  return deepest;
}

function compact(text: string): string {
  // Most payloads were printed compactly already; white space that may go stands outside strings only.
  if (!/[ \t\r\n]/.test(text)) return text;
  const kept: string[] = [];
  let from = 0;
  let at = 0;
  while (at < text.length) {
    if (text[at] === '"') {
      at = skipString(text, at);
      continue;
    }
    const next = skipSpace(text, at);
    if (next === at) {
      at += 1;
      continue;
    }
    kept.push(text.slice(from, at));
    from = next;
    at = next;
  }
  kept.push(text.slice(from));
  return kept.join("");
}

function skipSpace(text: string, at: number): number {
  let next = at;
  while (next < text.length && " \t\r\n".includes(text.charAt(next))) next += 1;
  return next;
}

/** The index behind the string that starts at `at`. */
function skipString(text: string, at: number): number {
  let next = at + 1;
  while (next < text.length && text[next] !== '"') next += text[next] === "\\" ? 2 : 1;
  return next + 1;
}

/** The index behind the value that starts at `at`; no recursion, so depth cannot overflow the stack. */
function skipValue(text: string, at: number): number {
  if (text[at] === '"') return skipString(text, at);
  let depth = 0;
  let next = at;
  while (next < text.length) {
    const char = text.charAt(next);
    if (char === '"') {
      next = skipString(text, next);
      continue;
    }
    if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") {
      if (depth === 0) return trimEnd(text, at, next);
      depth -= 1;
      if (depth === 0) return next + 1;
    } else if (char === "," && depth === 0) return trimEnd(text, at, next);
    next += 1;
  }
  return next;
}

function trimEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && " \t\r\n".includes(text.charAt(last - 1))) last -= 1;
  return last;
}
