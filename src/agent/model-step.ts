import { LlmError } from "../llm/error.ts";
import type { AssistantMessage, StopReason, Usage } from "../llm/messages.ts";
import type { Model, ModelRequest } from "../llm/port.ts";
import type { AgentListener } from "./events.ts";
import { finalText, maxAttempts, retryDelay } from "./retry.ts";
import type { RetryWait } from "./retry-wait.ts";
import { untilAborted } from "./until-aborted.ts";

/** How asking the model once, retries included, ended. */
export type StepEnd =
  | { readonly kind: "message"; readonly message: AssistantMessage; readonly stop: StopReason; readonly usage: Usage }
  /** `partial` is the text that had come; none when a tool call had begun (extension-host.md §6.4). */
  | { readonly kind: "aborted"; readonly partial: string }
  | { readonly kind: "failed"; readonly error: LlmError; readonly text: string };

export interface StepOptions {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly emit: AgentListener;
  /** Resolves when whoever shows the stream has caught up, so that a slow reader slows the model down, not our memory up. */
  drained(): Promise<void> | undefined;
  /** Hold text back: an extension may rewrite it before anybody sees it (§4.5). */
  readonly holdText: boolean;
  readonly retries: RetryWait;
}

/** Asks the model until it answers, the retries are used up, or the user cancels. Every attempt but the last successful one ends in a `turn_end`. */
export async function runModelStep(options: StepOptions): Promise<StepEnd> {
  const { model, signal, emit, retries } = options;
  for (let attempt = 1; ; attempt += 1) {
    emit({ type: "request_started", provider: model.provider, model: model.id, attempt, maxAttempts: maxAttempts() });
    const outcome = await runAttempt(options);
    if (outcome.kind !== "failed") return outcome;
    const delayMs = retries.isEnabled ? retryDelay(outcome.error, attempt) : undefined;
    if (delayMs === undefined) return { ...outcome, text: finalText(outcome.error, attempt) };
    emit({ type: "turn_end", stop: "error", error: outcome.text, ...httpStatus(outcome.error) });
    emit({
      type: "retry_scheduled",
      attempt: attempt + 1,
      maxAttempts: maxAttempts(outcome.error),
      delayMs,
      reason: outcome.text,
    });
    const end = await retries.wait(delayMs, signal);
    if (end === "aborted") return { kind: "aborted", partial: "" };
    if (end === "given_up") return { ...outcome, text: finalText(outcome.error, attempt) };
  }
}

/** As a member of `turn_end`. */
export function httpStatus({ status }: LlmError): { readonly status?: number } {
  return status === undefined ? {} : { status };
}

async function runAttempt({ model, request, signal, emit, drained, holdText }: StepOptions): Promise<StepEnd> {
  let text = "";
  let hasToolCall = false;
  emit({ type: "assistant_start" });
  try {
    for await (const event of model.stream(request, signal)) {
      // A reader that takes nothing any more must not keep the user from ending the run.
      await untilAborted(drained(), signal);
      switch (event.type) {
        case "text_delta":
          text += event.delta;
          if (!holdText) emit(event);
          break;
        case "reasoning_delta":
          emit(event);
          break;
        case "tool_call_start":
          hasToolCall = true;
          emit({ type: "tool_use_start", id: event.id, name: event.name });
          break;
        case "tool_call_delta":
          emit({ type: "tool_use_args", id: event.id, delta: event.delta });
          break;
        case "tool_call_end":
          emit({ type: "tool_use_end", id: event.id });
          break;
        case "message":
          return { kind: "message", message: event.message, stop: event.stop, usage: event.usage };
      }
    }
  } catch (error) {
    if (signal.aborted) return { kind: "aborted", partial: hasToolCall ? "" : text };
    if (error instanceof LlmError) return { kind: "failed", error, text: error.message };
    throw error;
  }
  const error = new LlmError("cut_stream", "the model's answer broke off before its end");
  return { kind: "failed", error, text: error.message };
}
