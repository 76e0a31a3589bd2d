import type { InboundFrame } from "../../wire/frames.ts";
import { TOOL_RESULT_MAX_BLOCKS } from "../../wire/limits.ts";
import { type RawJson, rawMember } from "../../wire/raw-json.ts";

/** One piece of a tool result as the agent gets it. */
export type ToolContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: string; readonly data: string };

export interface ToolResult {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  /** Names from `activate_tools`, unchecked. */
  readonly activate: readonly string[];
  /** `details` as raw text, for the extension's private state; absent when the key is. */
  readonly details?: RawJson;
}

const PREVIEW_CHARS = 200;
const PREVIEW_LEVELS = 3;
const PREVIEW_MEMBERS = 20;
const NOTHING = "(extension returned no content)";
const IMAGE_TYPES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/**
 * Reads a `tool_result` of `extension` (extension-host.md §4.2). Never throws: a wrong shape becomes text that the
 * model can see, because the work behind it has been done.
 */
export function readToolResult(extension: string, frame: InboundFrame, line: string): ToolResult {
  const { content, faults } = readContent(extension, frame["content"]);
  if (content.every((block) => block.type === "text" && block.text.trim() === ""))
    content.splice(0, content.length, { type: "text", text: NOTHING });
  const activate = frame["activate_tools"];
  return {
    content,
    isError: frame["is_error"] === true || faults.length > 0,
    activate: Array.isArray(activate) ? activate.filter((name) => typeof name === "string") : [],
    ...(Object.hasOwn(frame, "details") && withDetails(line)),
  };
}

/** Blocks of a `tool_result` or `tool_update`, and what is wrong with some of them; empty ones are left out. */
export function readContent(extension: string, given: unknown): { content: ToolContent[]; faults: readonly string[] } {
  const faults: string[] = [];
  const blocks = blocksOf(given);
  const content = blocks
    .slice(0, TOOL_RESULT_MAX_BLOCKS)
    .map((block) => readBlock(extension, block, faults))
    .filter((block) => block !== undefined);
  const omitted = blocks.length - TOOL_RESULT_MAX_BLOCKS;
  if (omitted > 0) content.push({ type: "text", text: `[${omitted} more content blocks omitted]` });
  return { content, faults };
}

function withDetails(line: string): { details?: RawJson } {
  const details = rawMember(line, "details");
  return details === undefined ? {} : { details };
}

/** An array as it is; one block or a bare string as an array of one. */
function blocksOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content;
  return content === undefined || content === null ? [] : [content];
}

function readBlock(extension: string, block: unknown, faults: string[]): ToolContent | undefined {
  if (typeof block === "string") return block === "" ? undefined : { type: "text", text: block.toWellFormed() };
  if (!isObject(block))
    return fault(faults, `[malformed content block from extension ${extension}: ${preview(block)}]`);
  const type = block["type"];
  if (type === "text" || (type === undefined && typeof block["text"] === "string"))
    return readText(extension, block, faults);
  if (type === "image") return readImage(extension, block, faults);
  if (typeof type === "string")
    return { type: "text", text: `[unknown block type "${type.slice(0, 80)}" from extension ${extension}]` };
  return fault(faults, `[malformed content block from extension ${extension}: ${preview(block)}]`);
}

function readText(extension: string, block: Record<string, unknown>, faults: string[]): ToolContent | undefined {
  const text = block["text"];
  if (text === undefined || text === null || text === "") return undefined;
  if (typeof text === "string") return { type: "text", text: text.toWellFormed() };
  return fault(faults, `[text block from extension ${extension} is not a string: ${preview(text)}]`);
}

function readImage(extension: string, block: Record<string, unknown>, faults: string[]): ToolContent {
  const { mime_type: mimeType, data } = block;
  if (typeof data !== "string" || data === "" || !isBase64(data)) {
    return fault(faults, `[image from extension ${extension} could not be decoded: data is not base64]`);
  }
  if (typeof mimeType !== "string" || !IMAGE_TYPES.has(mimeType)) {
    return fault(faults, `[image from extension ${extension} has the unsupported type ${preview(mimeType)}]`);
  }
  return { type: "image", mimeType, data };
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

function fault(faults: string[], text: string): ToolContent {
  faults.push(text);
  return { type: "text", text };
}

/** Parsing takes any depth, printing takes ages and then overflows the stack: only what fits is printed. */
function preview(value: unknown): string {
  return (JSON.stringify(pruned(value, PREVIEW_LEVELS)) ?? "undefined").slice(0, PREVIEW_CHARS);
}

function pruned(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "…";
  if (Array.isArray(value)) return value.slice(0, PREVIEW_MEMBERS).map((member) => pruned(member, levels - 1));
  const members = Object.entries(value).slice(0, PREVIEW_MEMBERS);
  return Object.fromEntries(members.map(([key, member]) => [key, pruned(member, levels - 1)]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
