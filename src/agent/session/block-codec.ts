import type { ImageBlock, ReasoningBlock, TextBlock, ToolCallBlock, ToolResultBlock } from "../../llm/messages.ts";
import { SESSION_JSON_MAX_DEPTH } from "../../wire/limits.ts";
import { nestingDepth, RawJson } from "../../wire/raw-json.ts";
import { isRecord, rawMembers } from "./json.ts";

export type Block = TextBlock | ImageBlock | ReasoningBlock | ToolCallBlock | ToolResultBlock;

/**
 * What a block of a row holds: a block of ours, "foreign" for one that is whole but has no place in our types (an id of
 * a reasoning item, say), or undefined for one that no reader could tell apart.
 */
export type DecodedBlock = Block | "foreign" | undefined;

/** The readers refuse a call without an id or a name, a result without a call, an image without a type. */
const NO_ID = "(none)";
const NO_MIME_TYPE = "application/octet-stream";
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/**
 * Marks a reasoning block without text as one. zut leaves a block that has only an id out of its requests.
 */
const REASONING_ID = "zot";

/**
 * One block as JSON text; blocks have no type key and are told apart by their members (extension-host.md §6.3).
 * Undefined for a block that says nothing.
 *
 * Provider tokens go under `signature`, a key that is ours alone: ours carry the name of their protocol in front, and
 * zut sends whatever stands in `encrypted_content` or `thought_signature` back to the service, which would refuse it.
 */
export function encodeBlock(block: Block): string | undefined {
  switch (block.type) {
    case "text":
      return `{"text":${JSON.stringify(block.text)}${signature(block)}}`;
    case "image":
      return encodeImage(block);
    case "reasoning":
      return encodeReasoning(block);
    case "tool_call":
      return encodeCall(block);
    case "tool_result":
      return encodeResult(block);
  }
}

function signature(block: { readonly signature?: string }): string {
  return block.signature ? `,"signature":${JSON.stringify(block.signature)}` : "";
}

function encodeImage({ mimeType, data }: ImageBlock): string {
  // Anything that is not plain base64 makes zut refuse the whole session.
  const isPlain = data.length % 4 === 0 && BASE64.test(data);
  const written = isPlain ? data : Buffer.from(data, "base64").toString("base64");
  return `{"mime_type":${JSON.stringify(mimeType || NO_MIME_TYPE)},"data":"${written}"}`;
}

function encodeReasoning(block: ReasoningBlock): string | undefined {
  if (block.text === "" && !block.signature) return undefined;
  const kind = block.text === "" ? `"reasoning_id":"${REASONING_ID}"` : `"summary":${JSON.stringify(block.text)}`;
  return `{${kind}${signature(block)}${block.redacted === true ? ',"redacted":true' : ""}}`;
}

/** A row must stay valid JSON: arguments that are no JSON object stand beside an empty one, as text. */
function encodeCall(block: ToolCallBlock): string {
  const args = rowArguments(block.arguments);
  const raw = args === undefined ? `,"raw_arguments":${JSON.stringify(block.arguments)}` : "";
  return (
    `{"id":${JSON.stringify(block.id || NO_ID)},"name":${JSON.stringify(block.name || NO_ID)}` +
    `,"arguments":${args ?? "{}"}${raw}${signature(block)}}`
  );
}

function rowArguments(text: string): string | undefined {
  let args: RawJson;
  try {
    args = RawJson.parse(text);
  } catch {
    // Models do write broken JSON; it is kept as text.
    return undefined;
  }
  if (!args.isObject || nestingDepth(args.text) > SESSION_JSON_MAX_DEPTH) return undefined;
  const isOneLine = text.startsWith("{") && text.endsWith("}") && !/[\r\n]/.test(text);
  return isOneLine ? text : args.text;
}

function encodeResult({ callId, content, isError }: ToolResultBlock): string {
  const blocks = content.flatMap((block) => encodeBlock(block) ?? []);
  const written = blocks.length === 0 ? '{"text":""}' : blocks.join(",");
  return `{"call_id":${JSON.stringify(callId || NO_ID)},"content":[${written}],"is_error":${isError}}`;
}

/** Reads one block. `value` is what was parsed, `raw` gives its text, which only tool calls need. */
export function decodeBlock(value: unknown, raw: () => string): DecodedBlock {
  if (!isRecord(value)) return undefined;
  if (isFilled(value["reasoning_id"]) || isFilled(value["summary"]) || isFilled(value["encrypted_content"])) {
    return decodeReasoning(value);
  }
  if (isFilled(value["name"]) || isFilled(value["id"]) || "arguments" in value) return decodeCall(value, raw);
  if (isFilled(value["call_id"])) return decodeResult(value, value["call_id"]);
  return decodeContent(value);
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function decodeContent(value: Readonly<Record<string, unknown>>): TextBlock | ImageBlock | undefined {
  const { mime_type: mimeType, data, text } = value;
  if (isFilled(mimeType)) return typeof data === "string" ? { type: "image", mimeType, data } : undefined;
  return typeof text === "string" ? { type: "text", text, ...decodedSignature(value) } : undefined;
}

function decodedSignature(value: Readonly<Record<string, unknown>>): { readonly signature?: string } {
  const token = value["signature"];
  return isFilled(token) ? { signature: token } : {};
}

/** Tokens of zut are left where they are: without the name of their protocol nobody may send them back. */
function decodeReasoning(value: Readonly<Record<string, unknown>>): DecodedBlock {
  const text = isFilled(value["summary"]) ? value["summary"] : "";
  const token = decodedSignature(value);
  if (text === "" && token.signature === undefined) return "foreign";
  return { type: "reasoning", text, ...token, ...(value["redacted"] === true ? { redacted: true } : {}) };
}

function decodeCall(value: Readonly<Record<string, unknown>>, raw: () => string): ToolCallBlock | undefined {
  const { id, name, raw_arguments: text } = value;
  if (!isFilled(id) || !isFilled(name)) return undefined;
  const args = typeof text === "string" ? text : (rawMembers(raw()).get("arguments") ?? "{}");
  return { type: "tool_call", id, name, arguments: args, ...decodedSignature(value) };
}

function decodeResult(value: Readonly<Record<string, unknown>>, callId: string): ToolResultBlock | undefined {
  if (!Array.isArray(value["content"])) return undefined;
  const parts: readonly unknown[] = value["content"];
  const content = parts.flatMap((part) => (isRecord(part) ? (decodeContent(part) ?? []) : []));
  if (content.length === 0) return undefined;
  return { type: "tool_result", callId, content, isError: value["is_error"] === true };
}
