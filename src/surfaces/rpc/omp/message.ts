import type {
  AssistantMessage,
  ImageBlock,
  Message,
  ReasoningBlock,
  StopReason,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
  Usage,
  UserMessage,
} from "../../../llm/messages.ts";

/** Messages as the omp wire has them (rpc-wire.md §4): one record a tool result, times in ms, arguments parsed. */
export type OmpMessage = OmpUserMessage | OmpAssistantMessage | OmpToolResult | OmpBashExecution;

export type OmpBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly thinkingSignature?: string }
  | { readonly type: "redactedThinking"; readonly data: string }
  | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  | OmpToolCall;

export interface OmpToolCall {
  readonly type: "toolCall";
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

export interface OmpUserMessage {
  readonly role: "user";
  readonly content: readonly OmpBlock[];
  readonly attribution: "user" | "agent";
  readonly steering?: true;
  readonly timestamp: number;
}

export type OmpStop = "stop" | "length" | "toolUse" | "error" | "aborted";

export interface OmpAssistantMessage {
  readonly role: "assistant";
  readonly content: readonly OmpBlock[];
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  readonly usage: OmpUsage;
  readonly stopReason: OmpStop;
  readonly errorMessage?: string;
  readonly errorStatus?: number;
  readonly timestamp: number;
}

export interface OmpToolResult {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly OmpBlock[];
  readonly details?: unknown;
  readonly isError: boolean;
  readonly useless?: true;
  readonly timestamp: number;
}

export interface OmpBashExecution {
  readonly role: "bashExecution";
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly excludeFromContext?: true;
  readonly timestamp: number;
}

export interface OmpUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
  readonly cost: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly total: number;
  };
}

/** What a host may know of a tool result beyond what the model gets. */
export interface ResultFacts {
  readonly details?: unknown;
  readonly useless?: true;
}

/** The name of the model API is the model library's own business; readers want a text here. */
export const API = "zot";

export const NO_OMP_USAGE: OmpUsage = ompUsage({
  input: 0,
  output: 0,
  reasoning: null,
  cacheRead: 0,
  cacheWrite: 0,
  costUsd: 0,
});

export function ompUsage({ input, output, cacheRead, cacheWrite, costUsd }: Usage): OmpUsage {
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
    // Only the sum is known to us.
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: costUsd },
  };
}

const STOPS: Readonly<Record<StopReason, OmpStop>> = { end_turn: "stop", tool_use: "toolUse", length: "length" };

export function ompStop(stop: StopReason): OmpStop {
  return STOPS[stop];
}

export function ompUser(message: UserMessage, isSteering: boolean): OmpUserMessage {
  return {
    role: "user",
    content: message.content.map(ompBlock),
    attribution: "user",
    ...(isSteering ? { steering: true } : {}),
    timestamp: message.time,
  };
}

/** How an answer ended and what it took; the transcript does not keep it. */
export interface AnswerFacts {
  readonly usage: OmpUsage;
  readonly stopReason: OmpStop;
  readonly errorMessage?: string;
  readonly errorStatus?: number;
}

/** `shown` is what a human may see of the text; undefined when an extension hid it (extension-host.md §4.5). */
export function ompAssistant(
  message: AssistantMessage,
  shown: string | undefined,
  facts: AnswerFacts,
): OmpAssistantMessage {
  const { provider, model, time } = message;
  const { usage, stopReason, errorMessage, errorStatus } = facts;
  return {
    role: "assistant",
    content: shownBlocks(message, shown).map(ompBlock),
    api: API,
    provider,
    model,
    usage,
    stopReason,
    ...(errorMessage === undefined ? {} : { errorMessage }),
    ...(errorStatus === undefined ? {} : { errorStatus }),
    timestamp: time,
  };
}

export function ompResult(result: ToolResultBlock, toolName: string, time: number, facts: ResultFacts): OmpToolResult {
  return {
    role: "toolResult",
    toolCallId: result.callId,
    toolName,
    content: result.content.map(ompBlock),
    ...facts,
    isError: result.isError,
    timestamp: time,
  };
}

/** Names of the calls of a transcript, by their ids. */
export function callNames(messages: readonly Message[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    for (const block of message.content) if (block.type === "tool_call") names.set(block.id, block.name);
  }
  return names;
}

export function ompBlock(block: TextBlock | ImageBlock | ReasoningBlock | ToolCallBlock): OmpBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
      return { type: "image", data: block.data, mimeType: block.mimeType };
    case "tool_call":
      return { type: "toolCall", id: block.id, name: block.name, arguments: parsedArguments(block.arguments) };
    case "reasoning": {
      const { text, signature, redacted } = block;
      if (redacted === true) return { type: "redactedThinking", data: signature ?? "" };
      return { type: "thinking", thinking: text, ...(signature === undefined ? {} : { thinkingSignature: signature }) };
    }
  }
}

/** What a model wrote as arguments; a text when it is no JSON. */
export function parsedArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // The reader sees what the model wrote; the call itself fails with a text that says so.
    return text;
  }
}

function shownBlocks(message: AssistantMessage, shown: string | undefined): AssistantMessage["content"] {
  const { content } = message;
  const said = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  if (shown === said) return content;
  const others = content.filter((block) => block.type !== "text");
  return shown === undefined || shown === "" ? others : [{ type: "text", text: shown }, ...others];
}
