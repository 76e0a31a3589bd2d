import type { AssistantMessage, StopReason, ToolResultBlock, Usage, UserMessage } from "../llm/messages.ts";

/** How a model attempt ended, as extensions and event streams are told (extension-host.md §4.4, our constant). */
export type TurnStop = StopReason | "error" | "aborted";

/** Why a conversation is summarised: somebody asked, it grew too long, a service refused it as too long. */
export type CompactionReason = "manual" | "threshold" | "overflow";

/** What extensions made of the arguments of a call before anybody was asked or anything ran (extension-host.md §4.5). */
export interface Rewrite {
  /** Raw JSON text. */
  readonly args: string;
  /** Who changed them, in this order. */
  readonly extensions: readonly string[];
}

/** What an agent does, as it does it; surfaces turn this into a screen, a text or JSON lines (§7.8). */
export type AgentEvent =
  | { readonly type: "user_message"; readonly message: UserMessage }
  | { readonly type: "turn_start"; readonly step: number }
  | {
      readonly type: "request_started";
      readonly provider: string;
      readonly model: string;
      readonly attempt: number;
      readonly maxAttempts: number;
    }
  | {
      readonly type: "retry_scheduled";
      readonly attempt: number;
      readonly maxAttempts: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  | { readonly type: "assistant_start" }
  | { readonly type: "text_delta"; readonly delta: string }
  | { readonly type: "reasoning_delta"; readonly delta: string }
  | { readonly type: "tool_use_start"; readonly id: string; readonly name: string }
  | { readonly type: "tool_use_args"; readonly id: string; readonly delta: string }
  | { readonly type: "tool_use_end"; readonly id: string }
  /** `shown` is what a human may see of its text: rewritten, or undefined when an extension hid it. */
  | { readonly type: "assistant_message"; readonly message: AssistantMessage; readonly shown: string | undefined }
  | { readonly type: "message_hidden"; readonly extension: string; readonly reason: string }
  | { readonly type: "usage"; readonly usage: Usage; readonly cumulative: Usage }
  /** `status` is the HTTP status behind an error. */
  | { readonly type: "turn_end"; readonly stop: TurnStop; readonly error?: string; readonly status?: number }
  /** `args` is the raw text of the model. */
  | { readonly type: "tool_call"; readonly id: string; readonly name: string; readonly args: string }
  /** A human is being asked whether it may run. */
  | {
      readonly type: "approval_requested";
      readonly id: string;
      readonly name: string;
      readonly preview: string;
      readonly rewrite?: Rewrite;
    }
  | { readonly type: "tool_execution_started"; readonly id: string; readonly name: string; readonly rewrite?: Rewrite }
  /** More output of a running tool. */
  | { readonly type: "tool_progress"; readonly id: string; readonly text: string }
  /** All that a running tool has to show so far, in place of what it showed before. */
  | { readonly type: "tool_update"; readonly id: string; readonly content: ToolResultBlock["content"] }
  /** `blockedBy` is the extension that refused the call; `isCancelled`: the user ended it, or kept it from being run. */
  | {
      readonly type: "tool_result";
      readonly result: ToolResultBlock;
      readonly blockedBy?: string;
      readonly isCancelled: boolean;
    }
  /** Most of the conversation is being summarised (§8.5); what the model writes is no part of it. */
  | { readonly type: "compact_start"; readonly reason: CompactionReason }
  | { readonly type: "compact_delta"; readonly delta: string }
  | {
      readonly type: "compact_done";
      readonly reason: CompactionReason;
      readonly summary: string;
      /** An estimate. */
      readonly tokensBefore: number;
    }
  /** Without an error: the user cut it short. */
  | { readonly type: "compact_failed"; readonly reason: CompactionReason; readonly error?: string }
  /** Another conversation is open, or the open one was emptied. */
  | { readonly type: "session_changed" }
  /** Prompts that wait came, went or moved. */
  | { readonly type: "queue_changed" }
  /** Nothing runs and nothing that was waiting will start by itself. */
  | { readonly type: "done" };

export type AgentListener = (event: AgentEvent) => void;

/** Sums two usages; unknown reasoning counts stay unknown until one is known. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning === null && b.reasoning === null ? null : (a.reasoning ?? 0) + (b.reasoning ?? 0),
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    costUsd: a.costUsd + b.costUsd,
  };
}

export const NO_USAGE: Usage = { input: 0, output: 0, reasoning: null, cacheRead: 0, cacheWrite: 0, costUsd: 0 };
