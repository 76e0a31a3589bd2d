import type { Usage } from "../../llm/messages.ts";
import { RawJson } from "../../wire/raw-json.ts";
import { isRecord, rawElements, rawMembers } from "./json.ts";
import { type DecodedMessage, decodeMessage, type Origin } from "./message-codec.ts";
import { decodeMeta, encodeMeta, type SessionMeta } from "./meta.ts";
import { decodeUsage, encodeUsage } from "./usage-codec.ts";

/** A message inside a `compaction` row. */
export interface CompactedMessage {
  /** Its text as it stands there. */
  raw(): string;
  readonly decoded: DecodedMessage | undefined;
}

/** One line of a session file (extension-host.md §6.3); "unknown" is a row of a host newer than this one. */
export type Row =
  | { readonly type: "meta"; readonly meta: SessionMeta }
  | { readonly type: "message"; raw(): string; readonly decoded: DecodedMessage }
  | { readonly type: "usage"; readonly cumulative: Usage }
  | {
      readonly type: "compaction";
      readonly messages: readonly CompactedMessage[];
      readonly cumulative: Usage | undefined;
    }
  | { readonly type: "rename"; readonly title: string; readonly isGenerated: boolean }
  | { readonly type: "extension_state"; readonly extension: string; readonly state: RawJson | undefined }
  | { readonly type: "unknown" };

export function metaRow(meta: SessionMeta): string {
  return `{"type":"meta","meta":${encodeMeta(meta)}}`;
}

/** `message` is what `encodeMessage` made. */
export function messageRow(message: string): string {
  return `{"type":"message","message":${message}}`;
}

export function usageRow(usage: Usage, cumulative: Usage): string {
  return `{"type":"usage","usage":${encodeUsage(usage)},"cumulative":${encodeUsage(cumulative)}}`;
}

/** `messages` are what `encodeMessage` made; they replace the whole transcript. */
export function compactionRow(messages: readonly string[], cumulative: Usage): string {
  return `{"type":"compaction","messages":[${messages.join(",")}],"cumulative":${encodeUsage(cumulative)}}`;
}

export function renameRow(title: string, isGenerated: boolean): string {
  return `{"type":"rename","title":${JSON.stringify(title)}${isGenerated ? ',"generated":true' : ""}}`;
}

/** `null` clears. */
export function stateRow(extension: string, state: RawJson | null): string {
  return `{"type":"extension_state","extension":${JSON.stringify(extension)},"state":${state?.text ?? "null"}}`;
}

/** Reads one line without its LF; undefined when it is damaged. `origin` is who answers at this place of the file. */
export function parseRow(line: string, origin: Origin): Row | undefined {
  let row: unknown;
  try {
    row = JSON.parse(line);
  } catch {
    // The caller counts damaged lines and tells the user where they are.
    return undefined;
  }
  if (!isRecord(row) || typeof row["type"] !== "string" || row["type"] === "") return undefined;
  switch (row["type"]) {
    case "meta":
      return metaOf(line);
    case "message":
      return messageOf(line, row["message"], origin);
    case "usage":
      return usageOf(row["cumulative"]);
    case "compaction":
      return compactionOf(line, row, origin);
    case "rename":
      return typeof row["title"] === "string"
        ? { type: "rename", title: row["title"], isGenerated: row["generated"] === true }
        : undefined;
    case "extension_state":
      return stateOf(line, row["extension"]);
    default:
      return { type: "unknown" };
  }
}

function metaOf(line: string): Row | undefined {
  const meta = decodeMeta(rawMembers(line).get("meta") ?? "");
  return meta === undefined ? undefined : { type: "meta", meta };
}

function messageOf(line: string, value: unknown, origin: Origin): Row | undefined {
  if (!isRecord(value)) return undefined;
  const raw = (): string => rawMembers(line).get("message") ?? "null";
  const decoded = decodeMessage(raw, value, origin);
  return decoded === undefined ? undefined : { type: "message", raw, decoded };
}

function usageOf(value: unknown): Row | undefined {
  const cumulative = decodeUsage(value);
  return cumulative === undefined ? undefined : { type: "usage", cumulative };
}

/** Absent and null messages mean an empty transcript (§6.3). */
function compactionOf(line: string, row: Readonly<Record<string, unknown>>, origin: Origin): Row | undefined {
  const messages: unknown = row["messages"] ?? [];
  if (!Array.isArray(messages)) return undefined;
  const values: readonly unknown[] = messages;
  let raws: string[] | undefined;
  const compacted = values.map((value, index) => {
    const raw = (): string => {
      raws ??= rawElements(rawMembers(line).get("messages") ?? "[]");
      return raws[index] ?? "null";
    };
    return { raw, decoded: decodeMessage(raw, value, origin) };
  });
  return { type: "compaction", messages: compacted, cumulative: decodeUsage(row["cumulative"]) };
}

function stateOf(line: string, extension: unknown): Row | undefined {
  if (typeof extension !== "string") return undefined;
  const raw = rawMembers(line).get("state") ?? "null";
  return { type: "extension_state", extension, state: raw === "null" ? undefined : RawJson.parse(raw) };
}
