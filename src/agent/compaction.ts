import { type Message, textOf, type UserMessage } from "../llm/messages.ts";
import type { Model, ToolDefinition } from "../llm/port.ts";
import { AgentError } from "./error.ts";
import type { AgentListener } from "./events.ts";
import { runModelStep } from "./model-step.ts";
import { modelView } from "./model-view.ts";
import type { RetryWait } from "./retry-wait.ts";

/** How many of the last messages stay as they are (extension-host.md §8.5). */
export const COMPACTION_KEEPS = 4;
const HEADING = "## Context Summary (compacted)";
/** Characters that one token stands for, roughly, in all languages that code is written in. */
const CHARS_PER_TOKEN = 4;

const TASK = `Summarise the conversation so far for yourself: it will be all that you remember of it. Say what the user wants, what was
decided and why, what was done (files, commands, results), what is known to be true of the code, and what is still to be done. Be exact
with names, paths and numbers. Call no tools; answer with the summary alone.`;

/** How a compaction ended. `tokensBefore` is an estimate. */
export type CompactionEnd =
  | { readonly kind: "compacted"; readonly summary: string; readonly tokensBefore: number }
  | { readonly kind: "aborted" }
  | { readonly kind: "failed"; readonly error: AgentError };

export interface SummaryRequest {
  readonly model: Model;
  readonly messages: readonly Message[];
  /** Services refuse a history with calls in a request without tools. */
  readonly tools: readonly ToolDefinition[];
  /** What the summary should pay attention to; may be empty. */
  readonly instructions: string;
  readonly retries: RetryWait;
  readonly emit: AgentListener;
}

/** Lets the model summarise all but the last messages (extension-host.md §8.5). Changes nothing. Never rejects for a fault of the service. */
export async function summarise(request: SummaryRequest, signal: AbortSignal): Promise<CompactionEnd> {
  const { model, messages, tools, instructions, retries, emit } = request;
  const old = messages.slice(0, keptFrom(messages));
  if (old.length === 0) return failed("blocked", "nothing to compact: the session is too small");
  const task = instructions.trim() === "" ? TASK : `${TASK}\n\n${instructions.trim()}`;
  const asked: UserMessage = { role: "user", content: [{ type: "text", text: task }], time: Date.now() };
  const tokensBefore = Math.ceil(JSON.stringify(modelView(messages, "")).length / CHARS_PER_TOKEN);
  const end = await runModelStep({
    model,
    request: { systemPrompt: "", messages: [...modelView(old, ""), asked], tools },
    signal,
    retries,
    drained: () => undefined,
    holdText: false,
    // It is an answer like any other, but not one of the conversation.
    emit: (event) => {
      if (event.type === "text_delta") emit({ type: "compact_delta", delta: event.delta });
    },
  });
  if (end.kind === "aborted") return { kind: "aborted" };
  if (end.kind === "failed") return { kind: "failed", error: new AgentError("model", end.text, end.error) };
  const summary = textOf(end.message).trim();
  return summary === "" ? failed("model", "empty summary from model") : { kind: "compacted", summary, tokensBefore };
}

/** The message that stands for what was summarised. */
export function summaryMessage(summary: string): UserMessage {
  return { role: "user", content: [{ type: "text", text: `${HEADING}\n\n${summary}` }], time: Date.now() };
}

/** Index of the first message that stays: results never stay without their calls. */
export function keptFrom(messages: readonly Message[]): number {
  let from = Math.max(0, messages.length - COMPACTION_KEEPS);
  while (from > 0 && messages[from]?.role === "tool") from -= 1;
  return from;
}

function failed(code: "blocked" | "model", text: string): CompactionEnd {
  return { kind: "failed", error: new AgentError(code, text) };
}
