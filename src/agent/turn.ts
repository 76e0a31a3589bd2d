import type { ExtensionHost } from "../host/host.ts";
import type { LlmError } from "../llm/error.ts";
import type { AssistantMessage, TextBlock, ToolCallBlock, Usage } from "../llm/messages.ts";
import { textOf } from "../llm/messages.ts";
import type { Model, ReasoningLevel } from "../llm/port.ts";
import type { Approval } from "./approval.ts";
import { AgentError } from "./error.ts";
import type { AgentListener, TurnStop } from "./events.ts";
import { httpStatus, runModelStep, type StepEnd } from "./model-step.ts";
import { modelView } from "./model-view.ts";
import type { RetryWait } from "./retry-wait.ts";
import type { Session } from "./session/session.ts";
import { runCalls } from "./tool-calls.ts";
import type { Toolbox } from "./toolbox.ts";

export interface TurnContext {
  readonly model: Model;
  readonly host: Pick<ExtensionHost, "events" | "intercepts" | "commands">;
  readonly toolbox: Toolbox;
  readonly session: Session;
  readonly systemPrompt: string;
  readonly reasoning: ReasoningLevel | undefined;
  readonly cwd: string;
  readonly maxSteps: number;
  readonly emit: AgentListener;
  readonly approval: Approval;
  readonly retries: RetryWait;
  /** Why no further request may be sent; undefined: one may. */
  budgetFault(): AgentError | undefined;
  /** Says what the user sent meanwhile; called before each request but the first. */
  saySteering(): void;
  /** What the user sent meanwhile shall be said before further tools run. */
  isInterrupted(): boolean;
  /** Resolves when whoever shows the stream has caught up; undefined when it has. */
  drained(): Promise<void> | undefined;
  countUsage(usage: Usage): void;
  now(): number;
}

/** The last text a human may see, and whether the user cut it short. */
export interface TurnEnd {
  readonly kind: "completed" | "aborted";
  readonly text: string;
}

/**
 * Runs one user prompt that is already in the transcript: model step, tool calls, model step, … until the model asks
 * for no more tools (extension-host.md §4.4, §8.2). Throws `AgentError`; the transcript is whole in every case.
 */
export async function runTurn(context: TurnContext, signal: AbortSignal): Promise<TurnEnd> {
  let shown = "";
  for (let step = 1; step <= context.maxSteps; step += 1) {
    if (step > 1) context.saySteering();
    const fault = context.budgetFault();
    if (fault !== undefined) throw fault;
    const extensionContext = await startStep(context, step, signal);
    if (signal.aborted) return abortedStep(context, "");
    const isHeld = context.host.intercepts.wants("assistant_message");
    const end = await askModel(context, { extensionContext, isHeld }, signal);
    if (end.kind === "aborted") return abortedStep(context, end.partial, isHeld);
    if (end.kind === "failed") {
      endAttempt(context, "error", end.text, end.error);
      throw new AgentError("model", end.text, end.error);
    }
    shown = (await takeMessage(context, end, isHeld, signal)) ?? "";
    const calls = end.message.content.filter((block): block is ToolCallBlock => block.type === "tool_call");
    if (calls.length === 0) return { kind: "completed", text: shown };
    await runCalls(context, calls, signal);
    if (signal.aborted) {
      endAttempt(context, "aborted");
      return { kind: "aborted", text: shown };
    }
  }
  throw new AgentError("step_limit", `agent model step limit exceeded: ${context.maxSteps}`);
}

/** What the model alone is told in this request: what extensions say now, and what a session of another host kept. */
function contextOf({ internalContext }: Session, extensionContext: string): string {
  return [internalContext ?? "", extensionContext].filter((text) => text !== "").join("\n\n");
}

/** Tells observers, asks interceptors; resolves with the hidden context for this request. */
async function startStep(context: TurnContext, step: number, signal: AbortSignal): Promise<string> {
  context.emit({ type: "turn_start", step });
  context.host.events.emit("turn_start", { step });
  const verdict = await context.host.intercepts.turnStart(step, signal);
  if (verdict.kind === "allowed") return verdict.context;
  endAttempt(context, "error", verdict.reason);
  throw new AgentError("blocked", `turn blocked by ${verdict.extension}: ${verdict.reason}`);
}

interface Asking {
  readonly extensionContext: string;
  /** Text is held back until extensions have seen it. */
  readonly isHeld: boolean;
}

function askModel(context: TurnContext, { extensionContext, isHeld }: Asking, signal: AbortSignal): Promise<StepEnd> {
  const { model, session, toolbox, host, systemPrompt, reasoning } = context;
  return runModelStep({
    model,
    signal,
    emit: (event) => {
      context.emit(event);
      if (event.type === "turn_end") notifyTurnEnd(context, event.stop, event.error);
    },
    drained: context.drained,
    retries: context.retries,
    holdText: isHeld,
    request: {
      systemPrompt,
      messages: modelView(session.messages, contextOf(session, extensionContext)),
      tools: toolbox.definitions(),
      commands: host.commands.offered.map((command) => command.name),
      ...(reasoning === undefined ? {} : { reasoning }),
    },
  });
}

/** Lets interceptors see the text, records the message, tells everybody. Undefined: nothing may be shown. */
async function takeMessage(
  context: TurnContext,
  end: StepEnd & { kind: "message" },
  isHeld: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { host, session, emit } = context;
  const { message } = end;
  const shown = await shownText(context, message, signal);
  // Whoever wanted to see it may be gone by now; it still has to come out.
  if (isHeld && shown !== undefined && shown !== "") emit({ type: "text_delta", delta: shown });
  const isRewritten = shown !== textOf(message);
  session.appendAssistant(message, isRewritten ? { displayText: shown ?? "" } : {});
  emit({ type: "assistant_message", message, shown });
  if (shown !== undefined) host.events.emit("assistant_message", { text: shown });
  context.countUsage(end.usage);
  endAttempt(context, end.stop);
  return shown;
}

async function shownText(
  context: TurnContext,
  message: AssistantMessage,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { intercepts } = context.host;
  const joined = textOf(message, "\n");
  if (joined === "" || !intercepts.wants("assistant_message")) return textOf(message);
  const verdict = await intercepts.assistantMessage(joined, signal);
  if (verdict.kind === "blocked") {
    context.emit({ type: "message_hidden", extension: verdict.extension, reason: verdict.reason });
    return undefined;
  }
  return verdict.replaced ? verdict.text : textOf(message);
}

/** @param isHeld no extension has seen the text, so no human may, now or when the session is opened again */
function abortedStep(context: TurnContext, partial: string, isHeld = false): TurnEnd {
  if (partial !== "") {
    const content: TextBlock[] = [{ type: "text", text: partial }];
    const { provider, id } = context.model;
    const message = { role: "assistant", content, time: context.now(), provider, model: id } as const;
    context.session.appendAssistant(message, { isPartial: true, ...(isHeld ? { displayText: "" } : {}) });
  }
  endAttempt(context, "aborted");
  return { kind: "aborted", text: isHeld ? "" : partial };
}

function endAttempt(context: TurnContext, stop: TurnStop, error?: string, cause?: LlmError): void {
  const status = cause === undefined ? {} : httpStatus(cause);
  context.emit({ type: "turn_end", stop, ...(error === undefined ? {} : { error }), ...status });
  notifyTurnEnd(context, stop, error);
}

function notifyTurnEnd(context: TurnContext, stop: TurnStop, error?: string): void {
  context.host.events.emit("turn_end", { stop, ...(error === undefined ? {} : { error }) });
}
