import { SdkError } from "./error.ts";
import type { OutgoingFrame } from "./frames.ts";
import { FRAME_MAX_BYTES } from "./limits.ts";
import { RawJson } from "./raw-json.ts";

/**
 * One frame as a line, LF included: compact, `type` first and `id` second, since hosts and mocks cut both out by
 * substring (extension-host.md §0 rule 6). Throws `TypeError` for what JSON cannot hold, such as a bigint or a cycle,
 * and `SdkError` "frame_too_large".
 */
export function encodeFrame(frame: OutgoingFrame): string {
  let line = `{"type":${wellFormed(JSON.stringify(frame.type))}${member("id", frame["id"])}`;
  for (const [key, value] of Object.entries(frame)) {
    if (key !== "type" && key !== "id") line += member(key, value);
  }
  const text = `${line}}\n`;
  if (isTooLong(text)) {
    const bytes = Buffer.byteLength(text);
    throw new SdkError("frame_too_large", `frame of ${bytes} bytes; the host takes at most ${FRAME_MAX_BYTES}`);
  }
  return text;
}

/** Counts bytes only where they matter: merely touching Buffer costs 0.2 ms of every start. */
function isTooLong(text: string): boolean {
  return text.length * 3 > FRAME_MAX_BYTES && Buffer.byteLength(text) > FRAME_MAX_BYTES;
}

function member(key: string, value: unknown): string {
  const text = value instanceof RawJson ? value.text : jsonOf(value);
  return text === undefined ? "" : `,${wellFormed(JSON.stringify(key))}:${text}`;
}

function jsonOf(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : wellFormed(text);
}

/**
 * Puts U+FFFD in place of lone surrogates, the only ones that `JSON.stringify` writes as escapes; other printers escape
 * whole pairs too, so this is for its output alone. Escapes are taken one by one, so that an escaped backslash before a
 * `u` is not mistaken for one.
 */
function wellFormed(json: string): string {
  if (!json.includes("\\ud")) return json;
  return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (found) => (found.startsWith("\\ud") ? "\ufffd" : found));
}
