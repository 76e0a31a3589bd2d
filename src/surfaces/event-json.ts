import type { AgentEvent } from "../agent/events.ts";
import {
  type ImageBlock,
  type Message,
  type ReasoningBlock,
  type TextBlock,
  type ToolCallBlock,
  type ToolResultBlock,
  textOf,
  type Usage,
} from "../llm/messages.ts";
import { encodeFrame, type FrameFields } from "../wire/encode.ts";
import { RawJson } from "../wire/raw-json.ts";

/**
 * One event as a line of JSON, LF included (extension-host.md §7.8); undefined for what this format does not tell.
 */
export function eventLine(event: AgentEvent): string | undefined {
  const fields = fieldsOf(event);
  if (fields === undefined) return undefined;
  return encodeFrame(TYPES[event.type] ?? event.type, fields);
}

/** Events of ours that this format has one name for. */
const TYPES: Readonly<Partial<Record<AgentEvent["type"], string>>> = {
  tool_update: "tool_progress",
  compact_delta: "text_delta",
};

/** One message of the transcript in the same format; reasoning is left out (extension-host.md §7.8, §7.9). */
export function messageFields({ role, content, time }: Message): FrameFields {
  const blocks = content.filter((block) => block.type !== "reasoning");
  return { role, content: blocks.map(contentItem), time: timeText(time) };
}

function fieldsOf(event: AgentEvent): FrameFields | undefined {
  switch (event.type) {
    case "turn_start":
      return { step: event.step };
    case "request_started":
      return {
        provider: event.provider,
        model: event.model,
        scope: "turn",
        attempt: event.attempt,
        max_attempts: event.maxAttempts,
      };
    case "retry_scheduled":
      return { scope: "turn", attempt: event.attempt, max_attempts: event.maxAttempts, delay_ms: event.delayMs };
    case "user_message":
      return { content: event.message.content.map(contentItem), time: timeText(event.message.time) };
    case "assistant_message":
      return { content: shownContent(event.message.content, event.shown), time: timeText(event.message.time) };
    case "assistant_start":
    case "done":
      return {};
    case "compact_done":
      return { summary: event.summary };
    case "text_delta":
    case "compact_delta":
      return { delta: event.delta };
    case "tool_use_start":
    case "tool_execution_started":
      return { id: event.id, name: event.name };
    case "tool_use_args":
      return { id: event.id, delta: event.delta };
    case "tool_use_end":
      return { id: event.id };
    case "tool_call":
      return { id: event.id, name: event.name, args: argsOf(event.args) };
    case "tool_progress":
      return { id: event.id, text: event.text };
    case "tool_update":
      return { id: event.id, text: textOf(event, "\n") };
    case "tool_result":
      return {
        id: event.result.callId,
        is_error: event.result.isError,
        content: event.result.content.map(contentItem),
      };
    case "usage":
      return { ...usageFields(event.usage), cumulative: usageFields(event.cumulative) };
    case "turn_end":
      return { stop: event.stop, error: event.error };
    // None of these is part of this format: reasoning stays out (§7.8), a hidden message is told on stderr.
    case "reasoning_delta":
    case "message_hidden":
    case "approval_requested":
    case "queue_changed":
    case "compact_start":
    case "compact_failed":
    case "session_changed":
      return undefined;
  }
}

/** The blocks of an assistant message as a reader may see them: rewritten text takes the place of all text. */
function shownContent(
  content: readonly (TextBlock | ReasoningBlock | ToolCallBlock)[],
  shown: string | undefined,
): object[] {
  const original = content.filter((block) => block.type === "text").map((block) => block.text);
  const blocks = content.filter((block) => block.type === "tool_call" || block.type === "text");
  if (shown === original.join("")) return blocks.map(contentItem);
  const calls = blocks.filter((block) => block.type === "tool_call").map(contentItem);
  return shown === undefined ? calls : [{ type: "text", text: shown }, ...calls];
}

/** Images are told by their length only (§7.8). */
function contentItem(block: TextBlock | ImageBlock | ToolCallBlock | ToolResultBlock): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", mime_type: block.mimeType, bytes: Buffer.byteLength(block.data, "base64") };
    case "tool_call":
      return { type: "tool_call", id: block.id, name: block.name, args: parsedArgs(block.arguments) };
    case "tool_result":
      return {
        type: "tool_result",
        call_id: block.callId,
        is_error: block.isError,
        content: block.content.map(contentItem),
      };
  }
}

function argsOf(text: string): RawJson | string {
  try {
    return RawJson.parse(text.trim() === "" ? "{}" : text);
  } catch {
    // Not JSON: the reader sees what the model wrote.
    return text;
  }
}

function parsedArgs(text: string): unknown {
  const args = argsOf(text);
  return typeof args === "string" ? args : args.value();
}

/** Token counts and costs as this format names them. */
export function usageFields(usage: Usage): FrameFields {
  return {
    input: usage.input,
    output: usage.output,
    reasoning: usage.reasoning,
    cache_read: usage.cacheRead,
    cache_write: usage.cacheWrite,
    cache_measured_prompt: usage.input + usage.cacheRead + usage.cacheWrite,
    cache_measured_read: usage.cacheRead,
    cost_usd: usage.costUsd,
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
