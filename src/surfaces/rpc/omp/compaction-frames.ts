import type { AgentEvent } from "../../../agent/events.ts";
import type { EventGate } from "./event-gate.ts";

export type CompactionEvent = Extract<
  AgentEvent,
  { type: "compact_start" | "compact_delta" | "compact_done" | "compact_failed" }
>;

/** What the wire calls the way in which we make room. */
const ACTION = "context-full";

/** Compactions that begin by themselves as events (rpc-wire.md §4); one that was asked for has its response. */
export function emitCompaction(gate: EventGate, event: CompactionEvent): void {
  if (event.type === "compact_delta" || event.reason === "manual") return;
  const { reason } = event;
  if (event.type === "compact_start") {
    gate.emit("auto_compaction_start", { reason, action: ACTION });
    return;
  }
  const isDone = event.type === "compact_done";
  const isAborted = !isDone && event.error === undefined;
  gate.emit("auto_compaction_end", {
    action: ACTION,
    ...(isDone ? { result: { summary: event.summary, tokensBefore: event.tokensBefore } } : {}),
    aborted: isAborted,
    willRetry: isDone && reason === "overflow",
    ...(isDone || isAborted ? {} : { errorMessage: event.error }),
  });
}
