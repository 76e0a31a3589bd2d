import { LlmError } from "../../src/llm/error.ts";
import type { AssistantMessage, Message, StopReason, ToolCallBlock, Usage } from "../../src/llm/messages.ts";
import { textOf } from "../../src/llm/messages.ts";
import { type OpenModelOptions, openModel } from "../../src/llm/open.ts";
import type { Model, ModelChoice, ModelEvent, ModelRequest } from "../../src/llm/port.ts";
import type { ModelServer } from "../support/model-server.ts";

export type Vendor = "openai" | "anthropic";
export const VENDORS: readonly Vendor[] = ["openai", "anthropic"];

/** A model behind the scripted server, with a key that must never show up anywhere. */
export const KEY = "sk-test-0123456789abcdef";

export function openAt(
  server: Pick<ModelServer, "url">,
  vendor: Vendor,
  choice: Partial<ModelChoice> = {},
  options: OpenModelOptions = {},
): Promise<Model> {
  return openModel(
    {
      provider: vendor,
      model: "fake",
      baseUrl: server.url(vendor),
      apiKey: KEY,
      userAgent: "zot/test",
      env: {},
      ...choice,
    },
    options,
  );
}

export interface Answered {
  readonly events: readonly ModelEvent[];
  readonly message: AssistantMessage;
  readonly stop: StopReason;
  readonly usage: Usage;
  readonly text: string;
  readonly calls: readonly ToolCallBlock[];
}

export function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }], time: 1 };
}

export function requestOf(messages: readonly Message[] | string, rest: Partial<ModelRequest> = {}): ModelRequest {
  return {
    systemPrompt: "Be brief.",
    messages: typeof messages === "string" ? [user(messages)] : messages,
    tools: [
      {
        name: "read",
        description: "Reads a file",
        schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
    ],
    ...rest,
  };
}

/** Asks once and takes the whole answer; throws when the stream does not end with exactly one message. */
export async function ask(
  model: Model,
  messages: readonly Message[] | string = "hi",
  rest: Partial<ModelRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Answered> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(requestOf(messages, rest), signal)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "message") throw new Error("the stream did not end with its message");
  if (events.filter((event) => event.type === "message").length !== 1) throw new Error("more than one message");
  const { message, stop, usage } = last;
  const calls = message.content.filter((block) => block.type === "tool_call");
  return { events, message, stop, usage, text: textOf(message), calls };
}

/** The `LlmError` with which something fails; throws when it does not fail, or fails otherwise. */
export async function failure(attempt: Promise<unknown>): Promise<LlmError> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof LlmError) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

/** The deltas of one kind, joined. */
export function joined(
  events: readonly ModelEvent[],
  type: "text_delta" | "reasoning_delta" | "tool_call_delta",
): string {
  return events.map((event) => (event.type === type ? event.delta : "")).join("");
}
