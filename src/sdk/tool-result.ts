import type { OutgoingFrame } from "./frames.ts";
import { isRecord } from "./frames.ts";

/** One piece of what the model gets to see. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      /** For example `image/png`. */
      readonly mimeType: string;
      /** The bytes, or their standard base64. */
      readonly data: Uint8Array | string;
    };

/** A text block. */
export function text(text: string): ContentBlock {
  return { type: "text", text };
}

/** An image block. `data` is the bytes or their standard base64. */
export function image(mimeType: string, data: Uint8Array | string): ContentBlock {
  return { type: "image", mimeType, data };
}

export interface ToolResult {
  readonly content: string | readonly ContentBlock[];
  /** Marks the call as failed; `content` tells the model why. */
  readonly isError?: boolean;
  /** State that the host keeps with the session and never shows to the model; `null` clears it (extension-host.md §4.2). */
  readonly details?: unknown;
  /** Names of deferred tools that the model may use from now on. */
  readonly activateTools?: readonly string[];
}

export type ToolReturn = string | readonly ContentBlock[] | ToolResult;

/** The answer to the call `id`. Throws `TypeError` for what a plain JavaScript handler should not have returned. */
export function toolResultFrame(id: string, returned: ToolReturn): OutgoingFrame {
  const result = isToolResult(returned) ? returned : { content: returned };
  return {
    type: "tool_result",
    id,
    content: contentOf(result.content),
    is_error: result.isError === true ? true : undefined,
    activate_tools: result.activateTools,
    details: result.details,
  };
}

/** The answer to the call `id` when it failed. */
export function toolError(id: string, message: string): OutgoingFrame {
  return toolResultFrame(id, { content: message, isError: true });
}

/** Blocks as the wire has them. */
export function contentOf(content: string | readonly ContentBlock[]): readonly OutgoingFrame[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (Array.isArray(content)) return content.map(blockOf);
  throw new TypeError("a tool returns a string, an array of content blocks, or { content }");
}

function isToolResult(returned: ToolReturn): returned is ToolResult {
  return isRecord(returned) && "content" in returned;
}

function blockOf(block: ContentBlock): OutgoingFrame {
  if (block.type === "text") return { type: "text", text: block.text };
  const data = typeof block.data === "string" ? block.data : Buffer.from(block.data).toString("base64");
  return { type: "image", mime_type: block.mimeType, data };
}
