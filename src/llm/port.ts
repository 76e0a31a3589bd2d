import type { AssistantMessage, Message, StopReason, Usage } from "./messages.ts";

/** How hard a reasoning model thinks; clamped by the adapter to what the model can. */
export const REASONING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ReasoningLevel = (typeof REASONING_LEVELS)[number];

/** A tool as the model is told of it. `schema` is a JSON Schema object whose `type` is `object`. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  /** The complete system prompt; `""` sends none. */
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly reasoning?: ReasoningLevel;
  /** Slash commands of the session; only the rehearsal model reads them, to list what there is. */
  readonly commands?: readonly string[];
}

/**
 * What a stream yields, in the order the model produced it. `message` comes exactly once and last; a stream that
 * ends without it has failed and throws `LlmError` instead.
 */
export type ModelEvent =
  | { readonly type: "text_delta"; readonly delta: string }
  | { readonly type: "reasoning_delta"; readonly delta: string }
  | { readonly type: "tool_call_start"; readonly id: string; readonly name: string }
  | { readonly type: "tool_call_delta"; readonly id: string; readonly delta: string }
  | { readonly type: "tool_call_end"; readonly id: string }
  | { readonly type: "message"; readonly message: AssistantMessage; readonly stop: StopReason; readonly usage: Usage };

/** One model behind one provider. */
export interface Model {
  readonly provider: string;
  readonly id: string;
  /** Tokens; 0 when unknown. */
  readonly contextWindow: number;
  /** Tokens; 0 when unknown. */
  readonly maxOutput: number;
  readonly reasons: boolean;
  /** Performs one request, no retries: those belong to the turn. Throws `LlmError`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

/** What the user asked for on the command line, in the environment or in the configuration. */
export interface ModelChoice {
  readonly provider?: string;
  readonly model?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** Sent as the User-Agent, for example `zot/0.1.0`. */
  readonly userAgent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}
