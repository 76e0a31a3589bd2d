/**
 * The transcript in our own words. Every provider is translated from and to these types inside `llm/`;
 * nothing above this floor sees a provider's shape.
 */

export interface TextBlock {
  readonly type: "text";
  readonly text: string;
  /** Opaque provider token that must travel back with this block. */
  readonly signature?: string;
}

export interface ImageBlock {
  readonly type: "image";
  /** For example `image/png`. */
  readonly mimeType: string;
  /** Standard base64, no `data:` prefix. */
  readonly data: string;
}

export interface ReasoningBlock {
  readonly type: "reasoning";
  readonly text: string;
  readonly signature?: string;
  /** The provider withheld the text; `signature` carries its encrypted form. */
  readonly redacted?: boolean;
}

export interface ToolCallBlock {
  readonly type: "tool_call";
  readonly id: string;
  readonly name: string;
  /**
   * The arguments exactly as the model wrote them: raw JSON text, digit for digit, possibly not JSON at all.
   * Never parse and re-encode it on its way to an extension (extension-host.md §0 rule 5).
   */
  readonly arguments: string;
  readonly signature?: string;
}

export interface ToolResultBlock {
  readonly type: "tool_result";
  /** The id of the tool call that this answers. */
  readonly callId: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
}

export interface UserMessage {
  readonly role: "user";
  readonly content: readonly (TextBlock | ImageBlock)[];
  /** Milliseconds since the epoch. */
  readonly time: number;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly (TextBlock | ReasoningBlock | ToolCallBlock)[];
  readonly time: number;
  readonly provider: string;
  readonly model: string;
}

/** All results of one assistant message, in the order of its calls. */
export interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultBlock[];
  readonly time: number;
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

/** Token counts of one request. `costUsd` is an estimate from the catalogue unless the provider bills. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Subset of `output`; null when the provider does not say. */
  readonly reasoning: number | null;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly costUsd: number;
}

/** Why the model stopped. `aborted` and `error` never reach a message: they are thrown as `LlmError`. */
export type StopReason = "end_turn" | "tool_use" | "length";

/** First line of a text block that extensions put before the model for one request; no person wrote it. */
export const EXTENSION_CONTEXT = "[Extension context]";

/** Joins the text blocks of a message with `separator`. */
export function textOf(message: { readonly content: readonly { readonly type: string }[] }, separator = ""): string {
  return message.content
    .filter((block): block is TextBlock => block.type === "text")
    .map((block) => block.text)
    .join(separator);
}
