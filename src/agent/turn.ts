import type { ExtensionHost } from "../host/host.ts";
import type { AssistantMessage, TextBlock, ToolCallBlock, ToolResultBlock, Usage } from "../llm/messages.ts";
import { textOf } from "../llm/messages.ts";
import type { Model, ReasoningLevel } from "../llm/port.ts";
import { RawJson } from "../wire/raw-json.ts";
import type { Approval } from "./approval.ts";
import { AgentError } from "./error.ts";
import type { AgentListener, TurnStop } from "./events.ts";
import { runModelStep, type StepEnd } from "./model-step.ts";
import { modelView } from "./model-view.ts";
import { readArguments } from "./raw-arguments.ts";
import type { Toolbox } from "./toolbox.ts";
import type { Transcript } from "./transcript.ts";

const NOT_RUN = "tool call was aborted; no result recorded.";

export interface TurnContext {
  readonly model: Model;
  readonly host: Pick<ExtensionHost, "events" | "intercepts" | "commands">;
  readonly toolbox: Toolbox;
  readonly transcript: Transcript;
  readonly systemPrompt: string;
  readonly reasoning: ReasoningLevel | undefined;
  readonly cwd: string;
  readonly maxSteps: number;
  readonly emit: AgentListener;
  readonly approval: Approval;
  /** Says what the user sent meanwhile; called before each request but the first. */
  saySteering(): void;
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
    const extensionContext = await startStep(context, step, signal);
    if (signal.aborted) return abortedStep(context, "");
    const end = await askModel(context, extensionContext, signal);
    if (end.kind === "aborted") return abortedStep(context, end.partial);
    if (end.kind === "failed") {
      endAttempt(context, "error", end.text);
      throw new AgentError("model", end.text, end.error);
    }
    shown = (await takeMessage(context, end, signal)) ?? "";
    const calls = end.message.content.filter((block): block is ToolCallBlock => block.type === "tool_call");
    if (calls.length === 0) return { kind: "completed", text: shown };
    await runCalls(context, calls, signal);
    if (signal.aborted) return { kind: "aborted", text: shown };
  }
  throw new AgentError("step_limit", `agent model step limit exceeded: ${context.maxSteps}`);
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

function askModel(context: TurnContext, extensionContext: string, signal: AbortSignal): Promise<StepEnd> {
  const { model, transcript, toolbox, host, systemPrompt, reasoning } = context;
  return runModelStep({
    model,
    signal,
    emit: (event) => {
      context.emit(event);
      if (event.type === "turn_end") notifyTurnEnd(context, event.stop, event.error);
    },
    drained: context.drained,
    holdText: host.intercepts.wants("assistant_message"),
    request: {
      systemPrompt,
      messages: modelView(transcript.messages, extensionContext),
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
  signal: AbortSignal,
): Promise<string | undefined> {
  const { host, transcript, emit } = context;
  const { message } = end;
  const shown = await shownText(context, message, signal);
  transcript.addAssistant(message);
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
  const text = verdict.replaced ? verdict.text : textOf(message);
  context.emit({ type: "text_delta", delta: text });
  return text;
}

async function runCalls(context: TurnContext, calls: readonly ToolCallBlock[], signal: AbortSignal): Promise<void> {
  for (const { id, name, arguments: args } of calls) {
    context.emit({ type: "tool_call", id, name, args });
    const read = readArguments(args);
    const toolArgs = "args" in read ? read.args : RawJson.of({});
    context.host.events.emit("tool_call", { tool_id: id, tool_name: name, tool_args: toolArgs });
  }
  const results: ToolResultBlock[] = [];
  for (const call of calls) {
    const result = signal.aborted ? errorResult(call.id, NOT_RUN) : await runCall(context, call, signal);
    context.emit({ type: "tool_result", result });
    results.push(result);
  }
  context.transcript.addResults(results, context.now());
}

/** Interceptors first, then the human, then the tool, all on the arguments as they left the chain (§8.2). */
async function runCall(context: TurnContext, call: ToolCallBlock, signal: AbortSignal): Promise<ToolResultBlock> {
  const { id, name } = call;
  const read = readArguments(call.arguments);
  if ("fault" in read) return errorResult(id, read.fault);
  const verdict = await context.host.intercepts.toolCall({ id, name, args: read.args }, signal);
  if (verdict.kind === "blocked") return errorResult(id, verdict.reason);
  const refusal = await context.approval.check({ id, name, args: verdict.args }, signal, (preview) => {
    context.emit({ type: "approval_requested", id, name, preview });
    context.host.events.emit("tool_confirmation_requested", { tool_id: id, tool_name: name, tool_preview: preview });
  });
  if (refusal !== undefined) return errorResult(id, refusal);
  if (signal.aborted) return errorResult(id, NOT_RUN);
  context.emit({ type: "tool_execution_started", id, name });
  const outcome = await context.toolbox.run(name, verdict.args, {
    cwd: context.cwd,
    signal,
    progress: (text) => context.emit({ type: "tool_progress", id, text }),
  });
  return { type: "tool_result", callId: id, ...outcome };
}

function abortedStep(context: TurnContext, partial: string): TurnEnd {
  if (partial !== "") {
    const content: TextBlock[] = [{ type: "text", text: partial }];
    const { provider, id } = context.model;
    context.transcript.addAssistant({ role: "assistant", content, time: context.now(), provider, model: id });
  }
  endAttempt(context, "aborted");
  return { kind: "aborted", text: partial };
}

function endAttempt(context: TurnContext, stop: TurnStop, error?: string): void {
  context.emit({ type: "turn_end", stop, ...(error === undefined ? {} : { error }) });
  notifyTurnEnd(context, stop, error);
}

function notifyTurnEnd(context: TurnContext, stop: TurnStop, error?: string): void {
  context.host.events.emit("turn_end", { stop, ...(error === undefined ? {} : { error }) });
}

function errorResult(callId: string, text: string): ToolResultBlock {
  return { type: "tool_result", callId, content: [{ type: "text", text }], isError: true };
}
