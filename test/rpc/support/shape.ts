/**
 * What a recorded frame demands of ours: every member that it names, with the same value. `$keys` names members that
 * must be there, `$length` the length of a list, and a text that begins with `$` stands for an id of the other side's.
 */
export type Shape = unknown;

/** Ids of the recording and what they are in this run. */
export type Ids = Map<string, string>;

/** What is wrong with `actual`; undefined when it has the shape. */
export function shapeFault(shape: Shape, actual: unknown, ids: Ids, path = "frame"): string | undefined {
  if (typeof shape === "string" && shape.startsWith("$")) return idFault(shape.slice(1), actual, ids, path);
  if (Array.isArray(shape)) {
    if (!Array.isArray(actual)) return `${path} is no list`;
    if (actual.length !== shape.length) return `${path} has ${actual.length} items, not ${shape.length}`;
    return firstFault(shape.map((item: unknown, index) => shapeFault(item, actual[index], ids, `${path}[${index}]`)));
  }
  if (!isRecord(shape))
    return Bun.deepEquals(shape, actual) ? undefined : `${path} is ${show(actual)}, not ${show(shape)}`;
  if ("$length" in shape) {
    return Array.isArray(actual) && actual.length === shape["$length"]
      ? undefined
      : `${path} has not ${show(shape)} items`;
  }
  if (!isRecord(actual)) return `${path} is ${show(actual)}, not an object`;
  const missing = keysOf(shape).find((key) => !(key in actual));
  if (missing !== undefined) return `${path}.${missing} is missing`;
  const members = Object.entries(shape).filter(([key]) => key !== "$keys");
  return firstFault(members.map(([key, value]) => shapeFault(value, actual[key], ids, `${path}.${key}`)));
}

function keysOf(shape: Readonly<Record<string, unknown>>): string[] {
  const keys = shape["$keys"];
  return Array.isArray(keys) ? keys.map(String) : [];
}

/** An id that is new is remembered; one that is known must be the same again. */
function idFault(recorded: string, actual: unknown, ids: Ids, path: string): string | undefined {
  if (typeof actual !== "string") return `${path} is no id`;
  const known = ids.get(recorded);
  if (known === undefined) ids.set(recorded, actual);
  return known === undefined || known === actual ? undefined : `${path} is another id than before`;
}

function firstFault(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((fault) => fault !== undefined);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "absent").slice(0, 200);
}
