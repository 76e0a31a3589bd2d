/**
 * JSON whose numbers survive. `JSON.parse` turns `9007199254740993` into `…992`; tool arguments must travel digit for
 * digit (extension-host.md §0 rule 5), so a number that a double would print differently is kept as its own source text.
 */

/** Deeper values are refused: no service accepts them, and encoding them recurses. */
const MAX_DEPTH = 256;

const rawJson: unknown = Reflect.get(JSON, "rawJSON");

function keepDigits(value: unknown, context: unknown): unknown {
  if (typeof value !== "number" || typeof rawJson !== "function") return value;
  const source: unknown = typeof context === "object" && context !== null ? Reflect.get(context, "source") : undefined;
  if (typeof source !== "string" || source === String(value)) return value;
  return Reflect.apply(rawJson, JSON, [source]);
}

function isRaw(value: object): boolean {
  const check: unknown = Reflect.get(JSON, "isRawJSON");
  return typeof check === "function" && Reflect.apply(check, JSON, [value]) === true;
}

/**
 * Parses JSON text; numbers that would change are kept in a form that `JSON.stringify` writes back unchanged.
 * Throws SyntaxError on text that is not JSON.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, ...rest: unknown[]) => keepDigits(value, rest[0]));
}

/**
 * A copy of a JSON value in which no string holds half a surrogate pair: services answer 400 to those. Shares what needed
 * no change. Throws RangeError when the value is nested more than 256 deep.
 */
export function wellFormed(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null || isRaw(value)) return value;
  if (depth >= MAX_DEPTH) throw new RangeError("nested too deep");
  if (Array.isArray(value)) return value.map((item) => wellFormed(item, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    // A model may well write "__proto__": as an own key it is data, assigned it would be a prototype.
    Object.defineProperty(copy, key.toWellFormed(), {
      value: wellFormed(item, depth + 1),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}
