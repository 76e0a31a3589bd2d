/**
 * A reader that refuses what zut's refuses (extension-host.md §6.3, first paragraph): any blank, broken or unknown row
 * refuses the whole session. It is written from the rules alone and shares no code with the reader under test.
 */

type Json = Readonly<Record<string, unknown>>;

const DEPTH_MAX = 10_000;
const ROLES = new Set(["user", "assistant", "tool", "developer"]);
const INTEGERS = [
  "input_tokens",
  "output_tokens",
  "reasoning_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "cache_measured_prompt_tokens",
  "cache_measured_read_tokens",
];
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Throws with the number of the line that refuses the session. */
export function readStrictly(bytes: Uint8Array): void {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("the last row has no LF");
  if (lines.length === 0) throw new Error("file is empty");
  lines.forEach((line, index) => {
    try {
      readRow(line, index === 0);
    } catch (error) {
      throw new Error(
        `line ${index + 1}: ${error instanceof Error ? error.message : String(error)}: ${line.slice(0, 300)}`,
      );
    }
  });
}

function readRow(line: string, isFirst: boolean): void {
  if (line.trim() === "") throw new Error("blank row");
  if (deepest(line) > DEPTH_MAX) throw new Error("nested too deeply");
  const row = object(JSON.parse(line), "row");
  const type = row["type"];
  if (isFirst && type !== "meta") throw new Error("first row is not meta");
  if (type === "meta") readMeta(object(row["meta"], "meta"));
  else if (type === "message") readMessage(row["message"]);
  else if (type === "usage") {
    readUsage(row["cumulative"]);
    if (row["usage"] !== undefined) readUsage(row["usage"]);
  } else if (type === "compaction") {
    if (row["cumulative"] !== undefined) readUsage(row["cumulative"]);
    for (const message of list(row["messages"] ?? [])) readMessage(message);
  } else if (type === "rename") string(row["title"], "title");
  else if (type === "extension_state") string(row["extension"], "extension");
  else throw new Error(`unknown row type ${JSON.stringify(type)}`);
}

function readMeta(meta: Json): void {
  for (const key of ["id", "cwd", "model", "provider", "version"]) string(meta[key], key);
  if (meta["id"] === "") throw new Error("meta row has no session id");
  time(meta["started"]);
  for (const key of ["title", "parent"]) if (meta[key] !== undefined) string(meta[key], key);
  if (meta["fork_point"] !== undefined) integer(meta["fork_point"]);
  if (meta["hide_from_sessions"] !== undefined) boolean(meta["hide_from_sessions"]);
}

function readUsage(value: unknown): void {
  const usage = object(value, "usage");
  for (const key of INTEGERS) if (usage[key] !== undefined) integer(usage[key]);
  if (usage["reasoning_tokens_known"] !== undefined) boolean(usage["reasoning_tokens_known"]);
  if (typeof usage["cost_usd"] !== "number") throw new Error("cost_usd is no number");
}

function readMessage(value: unknown): void {
  const message = object(value, "message");
  if (!ROLES.has(String(message["role"]))) throw new Error("message has invalid role");
  time(message["time"]);
  if (message["meta"] !== undefined) {
    for (const text of Object.values(object(message["meta"], "message meta"))) string(text, "message meta");
  }
  for (const name of list(message["added_tool_names"] ?? [])) string(name, "added tool name");
  const content = list(message["content"]);
  if (content.length === 0) throw new Error("message has no content");
  for (const block of content) readBlock(object(block, "content block"));
}

function readBlock(block: Json): void {
  for (const key of ["text", "mime_type", "id", "name", "call_id", "reasoning_id", "summary", "encrypted_content"]) {
    if (block[key] !== undefined) string(block[key], key);
  }
  if (block["thought_signature"] !== undefined) string(block["thought_signature"], "thought_signature");
  if (block["data"] !== undefined) base64(block["data"]);
  if (block["reasoning_id"] || block["summary"] || block["encrypted_content"]) return;
  if (block["name"] || block["id"] || "arguments" in block) {
    if (!block["name"] || !block["id"]) throw new Error("incomplete tool call");
    return;
  }
  if (block["call_id"]) readResult(block);
  else if (!block["mime_type"] && !("text" in block)) throw new Error("unknown content");
}

function readResult(block: Json): void {
  boolean(block["is_error"]);
  const content = list(block["content"]);
  if (content.length === 0) throw new Error("tool result has no content");
  for (const value of content) {
    const part = object(value, "result content");
    if (part["data"] !== undefined) base64(part["data"]);
    if (part["mime_type"]) string(part["mime_type"], "mime_type");
    else string(part["text"], "text of a result");
  }
}

function deepest(line: string): number {
  let depth = 0;
  let most = 0;
  for (const token of line.matchAll(/"(?:[^"\\]|\\.)*"|[[{]|[\]}]/g)) {
    if (token[0] === "[" || token[0] === "{") depth += 1;
    if (token[0] === "]" || token[0] === "}") depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

function object(value: unknown, what: string): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${what} is no object`);
  return { ...value };
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error("not an array");
  return value;
}

function string(value: unknown, what: string): void {
  if (typeof value !== "string") throw new Error(`${what} is no string`);
}

function boolean(value: unknown): void {
  if (typeof value !== "boolean") throw new Error("not a boolean");
}

function integer(value: unknown): void {
  if (!Number.isSafeInteger(value) || /[e.]/.test(String(value))) throw new Error(`${value} is no integer`);
}

function time(value: unknown): void {
  if (typeof value !== "string" || !RFC_3339.test(value)) throw new Error(`${value} is no time`);
}

function base64(value: unknown): void {
  if (typeof value !== "string" || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    throw new Error("illegal base64 data");
  }
}
