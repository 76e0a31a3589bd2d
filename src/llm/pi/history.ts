import type { AssistantMessage as PiAssistant, Message as PiMessage } from "@earendil-works/pi-ai";
import type { AssistantMessage, ImageBlock, Message, TextBlock, ToolCallBlock, ToolResultBlock } from "../messages.ts";
import { CallIds, legalToolName } from "./call-ids.ts";
import { replayedSignature } from "./signature.ts";
import { replayedArguments } from "./tool-arguments.ts";

/** The model that a history is written for. */
export interface HistoryTarget {
  readonly provider: string;
  readonly model: string;
  readonly api: string;
}

/** Protocols whose adapter hands tool arguments to `JSON.stringify` untouched. */
const EXACT_APIS = new Set(["anthropic-messages", "openai-completions", "openai-responses"]);

const NO_OUTPUT = "(no output)";
const NO_RESULT = "tool call was aborted; no result recorded.";
const EMPTY_MESSAGE = "(empty message)";

type PiContent = { type: "text"; text: string } | { type: "image"; mimeType: string; data: string };

/**
 * Writes our transcript in the library's words, in a form that no service refuses: no empty texts or messages, every call
 * answered exactly once and right after it, legal names and ids, arguments that are objects, no halves of surrogate pairs.
 */
export function translateHistory(messages: readonly Message[], target: HistoryTarget): PiMessage[] {
  const ids = new CallIds(target.api);
  const translated: PiMessage[] = [];
  messages.forEach((message, index) => {
    if (message.role === "user") {
      translated.push({ role: "user", content: filled(message.content, EMPTY_MESSAGE), timestamp: message.time });
    }
    // Results are written with the calls that they answer; one that answers none is left out.
    if (message.role === "assistant") translated.push(...exchangeOf(message, messages.slice(index + 1), target, ids));
  });
  const first = translated[0];
  if (first === undefined || first.role === "assistant") {
    translated.unshift({ role: "user", content: EMPTY_MESSAGE, timestamp: messages[0]?.time ?? 0 });
  }
  return translated;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}

function filled(blocks: readonly (TextBlock | ImageBlock)[], placeholder: string): PiContent[] {
  const content = blocks
    .filter((block) => block.type === "image" || !isBlank(block.text))
    .map((block): PiContent => {
      if (block.type === "text") return { type: "text", text: block.text.toWellFormed() };
      return { type: "image", mimeType: block.mimeType, data: block.data };
    });
  return content.length === 0 ? [{ type: "text", text: placeholder }] : content;
}

/** One answer of the model with the results of its calls; nothing when the answer held nothing that can be sent. */
function exchangeOf(
  message: AssistantMessage,
  later: readonly Message[],
  target: HistoryTarget,
  ids: CallIds,
): PiMessage[] {
  const calls = message.content
    .filter((block) => block.type === "tool_call")
    .map((call) => ({ call, id: ids.assign(call.id), name: legalToolName(call.name) }));
  const idOf = new Map(calls.map(({ call, id }) => [call, id]));
  const content = message.content.flatMap((block) => contentOf(block, message, target, idOf));
  // No service takes reasoning at the end of an answer, let alone an answer of nothing else.
  while (content.at(-1)?.type === "thinking") content.pop();
  if (content.length === 0) return [];
  const results = resultsFor(calls, later);
  return [assistantMessage(message, content, target), ...results];
}

function contentOf(
  block: AssistantMessage["content"][number],
  message: AssistantMessage,
  target: HistoryTarget,
  idOf: ReadonlyMap<ToolCallBlock, string>,
): PiAssistant["content"] {
  const signature = isSameModel(message, target) ? replayedSignature(target.api, block.signature) : undefined;
  if (block.type === "text") {
    if (isBlank(block.text)) return [];
    const text = block.text.toWellFormed();
    return [{ type: "text", text, ...(signature === undefined ? {} : { textSignature: signature }) }];
  }
  if (block.type === "reasoning") {
    // Without its token the model cannot take reasoning back, and as plain text it would read as something it said.
    if (signature === undefined) return [];
    const redacted = block.redacted === true ? { redacted: true } : {};
    return [{ type: "thinking", thinking: block.text.toWellFormed(), thinkingSignature: signature, ...redacted }];
  }
  return [
    {
      type: "toolCall",
      id: idOf.get(block) ?? "",
      name: legalToolName(block.name),
      arguments: replayedArguments(block.arguments, EXACT_APIS.has(target.api)),
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    },
  ];
}

function isSameModel(message: AssistantMessage, target: HistoryTarget): boolean {
  return message.provider === target.provider && message.model === target.model;
}

function assistantMessage(
  message: AssistantMessage,
  content: PiAssistant["content"],
  target: HistoryTarget,
): PiAssistant {
  const isSame = isSameModel(message, target);
  return {
    role: "assistant",
    content,
    // The library drops what it thinks is foreign; what is foreign has been dropped here, block by block.
    api: isSame ? target.api : "other",
    provider: message.provider,
    model: message.model,
    stopReason: content.some((block) => block.type === "toolCall") ? "toolUse" : "stop",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    timestamp: message.time,
  };
}

interface NamedCall {
  readonly call: ToolCallBlock;
  readonly id: string;
  readonly name: string;
}

/** One result a call, in the order of the calls; calls that were recorded under one id take their results in turn. */
function resultsFor(calls: readonly NamedCall[], later: readonly Message[]): PiMessage[] {
  const next = later.findIndex((message) => message.role === "assistant");
  const recorded = (next === -1 ? later : later.slice(0, next)).flatMap((message) =>
    message.role === "tool" ? message.content.map((block) => ({ block, time: message.time })) : [],
  );
  return calls.map(({ call, id, name }): PiMessage => {
    const found = recorded.findIndex(({ block }) => block.callId === call.id);
    const [result] = found === -1 ? [] : recorded.splice(found, 1);
    const block: ToolResultBlock = result?.block ?? {
      type: "tool_result",
      callId: call.id,
      content: [{ type: "text", text: NO_RESULT }],
      isError: true,
    };
    return {
      role: "toolResult",
      toolCallId: id,
      toolName: name,
      content: filled(block.content, NO_OUTPUT),
      isError: block.isError,
      timestamp: result?.time ?? 0,
    };
  });
}
