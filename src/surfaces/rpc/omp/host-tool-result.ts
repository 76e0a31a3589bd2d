import { type ToolOutcome, textOutcome } from "../../../agent/tools/tool.ts";
import type { ImageBlock, TextBlock } from "../../../llm/messages.ts";
import { isRecord } from "../command.ts";
import { RpcError } from "../error.ts";
import { readImage } from "../image.ts";
import type { ResultFacts } from "./message.ts";

export interface HostToolResult {
  readonly outcome: ToolOutcome;
  readonly facts: ResultFacts;
}

/** Contents of a `result` or `partialResult`; undefined when it has not the shape of one (rpc-wire.md §3.4). */
export function payloadOf(value: unknown): (Record<string, unknown> & { readonly content: unknown[] }) | undefined {
  if (!isRecord(value)) return undefined;
  const { content } = value;
  return Array.isArray(content) ? { ...value, content } : undefined;
}

/** What a client answered, as the outcome of the call. */
export function readHostToolResult(
  payload: NonNullable<ReturnType<typeof payloadOf>>,
  isError: boolean,
): HostToolResult {
  const { blocks, unsupported } = readBlocks(payload.content);
  if (isError) return { outcome: textOutcome(joinedText(blocks), true), facts: { details: {} } };
  const faults = [
    ...(unsupported === 0
      ? []
      : [`${unsupported} content block${unsupported === 1 ? "" : "s"} had an unsupported shape.`]),
    // Only one model API has a use for it, and none of ours.
    ...(payload["providerMetadata"] === undefined ? [] : ["computer providerMetadata had an unsupported shape."]),
  ].map((fault): TextBlock => ({ type: "text", text: `Tool returned an invalid result: ${fault}` }));
  const content = [...blocks, ...faults];
  const failed = faults.length > 0 || payload["isError"] === true;
  const useless = payload["useless"] === true && !failed;
  return {
    outcome: {
      content: content.length === 0 ? [{ type: "text", text: "(host tool returned no content)" }] : content,
      isError: failed,
    },
    facts: { details: payload["details"] ?? {}, ...(useless ? { useless } : {}) },
  };
}

/** Blocks that a model can get, and how many others there were. */
export function readBlocks(content: readonly unknown[]): { blocks: (TextBlock | ImageBlock)[]; unsupported: number } {
  const blocks = content.map(readBlock).filter((block) => block !== undefined);
  return { blocks, unsupported: content.length - blocks.length };
}

function readBlock(block: unknown): TextBlock | ImageBlock | undefined {
  if (!isRecord(block)) return undefined;
  const { type, text, data, mimeType } = block;
  if (type === "text" && typeof text === "string") return { type: "text", text: text.toWellFormed() };
  if (type !== "image" || typeof data !== "string") return undefined;
  try {
    return readImage(typeof mimeType === "string" ? mimeType : "", data);
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}

function joinedText(blocks: readonly (TextBlock | ImageBlock)[]): string {
  const texts = blocks.filter((block) => block.type === "text").map((block) => block.text);
  return texts.join("\n") || "Host tool execution failed";
}
