import type { ToolMessage, ToolResultBlock } from "../../llm/messages.ts";
import type { Entry } from "./contents.ts";

const NO_RESULT = "tool call was aborted; no result recorded.";

/**
 * Pairs calls with results (extension-host.md §6.4), as services demand: a call without a result in the very next tool
 * message gets one that says so, results without a call are dropped, and of two results the first is kept. A tool message
 * that switched tools on stays in any case. The file is not touched: it is read the same way next time.
 */
export function repairCalls(entries: readonly Entry[]): Entry[] {
  const repaired: Entry[] = [];
  let open: Entry | undefined;
  for (const entry of entries) {
    const { message } = entry;
    if (message.role === "tool") {
      const paired = pair(entry, message, callIds(open));
      if (paired !== undefined) repaired.push(paired);
      open = undefined;
      continue;
    }
    if (open !== undefined) repaired.push(unanswered(open));
    repaired.push(entry);
    open = callIds(entry).length > 0 ? entry : undefined;
  }
  if (open !== undefined) repaired.push(unanswered(open));
  return repaired;
}

/** Ids of the calls of a message, each once. */
export function callIds(entry: Entry | undefined): string[] {
  if (entry?.message.role !== "assistant") return [];
  return [...new Set(entry.message.content.flatMap((block) => (block.type === "tool_call" ? block.id : [])))];
}

function pair(entry: Entry, message: ToolMessage, calls: readonly string[]): Entry | undefined {
  if (calls.length === 0) return entry.addedToolNames.length > 0 ? entry : undefined;
  const missing = new Set(calls);
  // `delete` is false for a result that answers no call, or one that has been answered.
  const kept = message.content.filter((result) => missing.delete(result.callId));
  if (kept.length === message.content.length && missing.size === 0) return entry;
  return { ...entry, message: { ...message, content: [...kept, ...[...missing].map(noResult)] } };
}

function unanswered(entry: Entry): Entry {
  const content = callIds(entry).map(noResult);
  const message: ToolMessage = { role: "tool", content, time: entry.message.time };
  return { message, meta: {}, addedToolNames: [], place: undefined };
}

function noResult(callId: string): ToolResultBlock {
  return { type: "tool_result", callId, content: [{ type: "text", text: NO_RESULT }], isError: true };
}
