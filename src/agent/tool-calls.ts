import type { ToolCallVerdict } from "../host/contributions/intercepts.ts";
import type { ToolCallBlock, ToolResultBlock } from "../llm/messages.ts";
import { RawJson } from "../wire/raw-json.ts";
import type { Rewrite } from "./events.ts";
import { readArguments } from "./raw-arguments.ts";
import type { TurnContext } from "./turn.ts";

const NOT_RUN = "tool call was aborted; no result recorded.";
const INTERRUPTED = "tool call was not run: the user has sent a message meanwhile";

/** A result, and the deferred tools that it switched on. */
interface SettledCall {
  readonly result: ToolResultBlock;
  readonly activated: readonly string[];
  /** The extension that refused it. */
  readonly blockedBy?: string;
}

/**
 * Runs the calls of one assistant message in their order and records a result for each (extension-host.md §4.2, §8.2).
 */
export async function runCalls(
  context: TurnContext,
  calls: readonly ToolCallBlock[],
  signal: AbortSignal,
): Promise<void> {
  for (const { id, name, arguments: args } of calls) {
    context.emit({ type: "tool_call", id, name, args });
    const read = readArguments(args);
    const toolArgs = "args" in read ? read.args : RawJson.of({});
    context.host.events.emit("tool_call", { tool_id: id, tool_name: name, tool_args: toolArgs });
  }
  const results: SettledCall[] = [];
  for (const group of sideBySide(context, calls)) {
    const skip = context.isInterrupted() ? INTERRUPTED : undefined;
    results.push(...(await Promise.all(group.map((call) => settleCall(context, call, signal, skip)))));
  }
  const blocks = results.map(({ result }) => result);
  context.session.appendResults(blocks, {
    activated: results.flatMap(({ activated }) => activated),
    time: context.now(),
  });
}

/** Calls in the order of the message, neighbours together that may run at the same time. */
function sideBySide({ toolbox }: TurnContext, calls: readonly ToolCallBlock[]): ToolCallBlock[][] {
  const groups: ToolCallBlock[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const isParallel = toolbox.isParallel(call.name);
    if (isParallel && isOpen) groups.at(-1)?.push(call);
    else groups.push([call]);
    isOpen = isParallel;
  }
  return groups;
}

async function settleCall(
  context: TurnContext,
  call: ToolCallBlock,
  signal: AbortSignal,
  skip: string | undefined,
): Promise<SettledCall> {
  const reason = signal.aborted ? NOT_RUN : skip;
  const settled = reason === undefined ? await runCall(context, call, signal) : refused(call.id, reason);
  const { result, blockedBy } = settled;
  const isCancelled = blockedBy === undefined && result.isError && (reason !== undefined || signal.aborted);
  context.emit({ type: "tool_result", result, ...(blockedBy === undefined ? {} : { blockedBy }), isCancelled });
  return settled;
}

/** Interceptors first, then the human, then the tool, all on the arguments as they left the chain (§8.2). */
async function runCall(context: TurnContext, call: ToolCallBlock, signal: AbortSignal): Promise<SettledCall> {
  const { id, name } = call;
  const read = readArguments(call.arguments);
  if ("fault" in read) return refused(id, read.fault);
  const verdict = await context.host.intercepts.toolCall({ id, name, args: read.args }, signal);
  if (verdict.kind === "blocked") return { ...refused(id, verdict.reason), blockedBy: verdict.extension };
  const rewrite = rewriteOf(verdict);
  if (signal.aborted) return refused(id, NOT_RUN);
  const refusal = await context.approval.check({ id, name, args: verdict.args }, signal, (preview) => {
    context.emit({ type: "approval_requested", id, name, preview, ...rewrite });
    context.host.events.emit("tool_confirmation_requested", { tool_id: id, tool_name: name, tool_preview: preview });
  });
  if (refusal !== undefined) return refused(id, refusal);
  if (signal.aborted) return refused(id, NOT_RUN);
  context.emit({ type: "tool_execution_started", id, name, ...rewrite });
  const outcome = await context.toolbox.run(name, verdict.args, {
    callId: id,
    cwd: context.cwd,
    signal,
    progress: (text) => context.emit({ type: "tool_progress", id, text }),
    update: (content) => context.emit({ type: "tool_update", id, content }),
  });
  const { content, isError, activated = [] } = outcome;
  return { result: { type: "tool_result", callId: id, content, isError }, activated };
}

/** As a member of an event; none when the arguments are as the model wrote them. */
function rewriteOf({ args, rewrittenBy }: Extract<ToolCallVerdict, { kind: "allowed" }>): {
  readonly rewrite?: Rewrite;
} {
  return rewrittenBy.length === 0 ? {} : { rewrite: { args: args.text, extensions: rewrittenBy } };
}

function refused(callId: string, text: string): SettledCall {
  const result = { type: "tool_result", callId, content: [{ type: "text", text }], isError: true } as const;
  return { result, activated: [] };
}
