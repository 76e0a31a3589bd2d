import { RawJson } from "./raw-json.ts";

/** A value that can stand in an outgoing frame; a `RawJson` member is spliced in as it is. */
export type FrameFields = Readonly<Record<string, unknown>>;

/**
 * One outgoing frame, its LF included (extension-host.md §0 rule 6): compact, `type` first and `id` second, because
 * shell extensions cut both out by substring. Members that are undefined are left out. Lone surrogates become U+FFFD,
 * which keeps the line valid UTF-8.
 */
export function encodeFrame(type: string, fields: FrameFields = {}): string {
  let out = `{"type":${JSON.stringify(type)}`;
  if (fields["id"] !== undefined) out += member("id", fields["id"]);
  for (const key in fields) {
    if (key !== "id" && key !== "type") out += member(key, fields[key]);
  }
  return `${out}}\n`.toWellFormed();
}

function member(key: string, value: unknown): string {
  if (value === undefined) return "";
  const text = value instanceof RawJson ? value.text : jsonOf(value);
  return text === undefined ? "" : `,${JSON.stringify(key)}:${text}`;
}

/**
 * Lone surrogates inside strings must be replaced before JSON turns them into `\\udXXX` escapes. Hardly any text has
 * one, and to look at every value takes several times as long as printing it.
 */
function jsonOf(value: unknown): string | undefined {
  const text: string | undefined = JSON.stringify(value);
  return text?.includes("\\ud") ? JSON.stringify(value, wellFormed) : text;
}

function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
