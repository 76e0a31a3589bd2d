import { encodeFrame, type FrameFields } from "../../../wire/encode.ts";

/** What line readers of other languages take for the end of a line, though JSON does not. */
const SEPARATORS = /[\u0085\u2028\u2029]/g;

/**
 * One frame as a line, LF included. U+0085, U+2028 and U+2029 are escaped, which changes no value and keeps clients
 * whole that read with `readline` or `splitlines`.
 */
export function encodeLine(type: string, fields: FrameFields = {}): string {
  return escapeSeparators(encodeFrame(type, fields));
}

/** The same for JSON that is encoded already; outside of strings none of these characters can stand. */
export function escapeSeparators(json: string): string {
  return json.replace(SEPARATORS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
