/** A frame from the host: an object with a `type`. Everything else about it is still to be checked. */
export interface IncomingFrame {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A frame to the host. Members that are undefined are left out; a `RawJson` member travels as it is. */
export interface OutgoingFrame {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Parses one line. Throws when it is no JSON object with a `type`. */
export function parseFrame(line: string): IncomingFrame {
  const value: unknown = JSON.parse(line);
  if (isRecord(value) && isFrame(value)) return value;
  throw new SyntaxError("not an object with a type");
}

function isFrame(value: Readonly<Record<string, unknown>>): value is IncomingFrame {
  return Object.hasOwn(value, "type") && typeof value["type"] === "string";
}

/** True for JSON objects, that is neither for null nor for arrays. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text member; the host leaves out empty ones, so absence reads as `""` (extension-host.md §3). */
export function textIn(frame: Readonly<Record<string, unknown>>, key: string): string {
  return optionalTextIn(frame, key) ?? "";
}

/** A text member that may be absent. */
export function optionalTextIn(frame: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = Object.hasOwn(frame, key) ? frame[key] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** A number member; the host leaves out zeros. */
export function numberIn(frame: Readonly<Record<string, unknown>>, key: string): number {
  const value = Object.hasOwn(frame, key) ? frame[key] : undefined;
  return typeof value === "number" ? value : 0;
}
