import { EXTENSION_CONTEXT, type Message, type ToolResultBlock, textOf, type UserMessage } from "../messages.ts";
import type { ModelRequest } from "../port.ts";

/** What the rehearsal model needs to know of a conversation; it remembers nothing of it itself. */
export interface Conversation {
  readonly prompt: string;
  /** Tells this prompt from all others of the session. */
  readonly promptKey: string;
  /** Answers that the model has given to the prompt. */
  readonly answered: number;
  /** Results since the prompt, with the names of their tools, in order. */
  readonly results: readonly { readonly name: string; readonly result: ToolResultBlock }[];
  /** Number in the newest call id of ours, for ids that do not repeat; 0 when there is none. */
  readonly lastCall: number;
}

/** The ids of our calls: this and a number. */
export const CALL_PREFIX = "call_offline_";

/** Reads a request from the newest user message on. */
export function readConversation(request: ModelRequest): Conversation {
  const { messages } = request;
  const start = messages.findLastIndex((message) => message.role === "user" && promptOf(message) !== undefined);
  const last = messages[start];
  const since = messages.slice(start + 1);
  const names = new Map(since.flatMap((message) => callsOf(message).map((call) => [call.id, call.name] as const)));
  return {
    prompt: last?.role === "user" ? (promptOf(last) ?? "") : "",
    promptKey: `${start}/${last?.time ?? 0}`,
    answered: since.filter((message) => message.role === "assistant").length,
    results: since.flatMap((message) =>
      message.role === "tool"
        ? message.content.map((result) => ({ name: names.get(result.callId) ?? "tool", result }))
        : [],
    ),
    lastCall: messages.flatMap(callsOf).reduce((highest, call) => Math.max(highest, numberIn(call.id)), 0),
  };
}

/** What a person said in it; undefined when it holds nothing but what extensions put there for the model. */
function promptOf(message: UserMessage): string | undefined {
  const said = message.content.filter((block) => block.type !== "text" || !block.text.startsWith(EXTENSION_CONTEXT));
  return said.length === 0 ? undefined : textOf({ content: said }, "\n");
}

function callsOf(message: Message): { readonly id: string; readonly name: string }[] {
  return message.role === "assistant" ? message.content.filter((block) => block.type === "tool_call") : [];
}

function numberIn(id: string): number {
  const number = id.startsWith(CALL_PREFIX) ? Number(id.slice(CALL_PREFIX.length)) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}
