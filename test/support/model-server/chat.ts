import type { WireEvent } from "./events.ts";
import { type ReadyCall, readyCalls, textsOf } from "./fragments.ts";
import type { Turn } from "./turn.ts";

/** The events of one Chat Completions answer. */
export function chatEvents(turn: Turn, model: string, mint: () => string): WireEvent[] {
  const chunk = (delta: object, finish: string | null = null, rest: object = {}): string =>
    JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
      ...rest,
    });
  const events: WireEvent[] = [{ data: chunk({ role: "assistant", content: "" }) }];
  if (turn.thinking !== undefined) events.push({ data: chunk({ reasoning_content: turn.thinking }) });
  for (const text of textsOf(turn)) events.push({ data: chunk({ content: text }) });
  const calls = readyCalls(turn, mint);
  for (const piece of piecesOf(calls, turn.interleave === true)) events.push({ data: chunk({ tool_calls: [piece] }) });
  if (turn.errorEvent !== undefined) {
    events.push({ data: JSON.stringify({ error: asError(turn.errorEvent) }) });
    return events;
  }
  const usual = calls.length > 0 ? "tool_calls" : "stop";
  const finish = turn.finish === undefined ? usual : turn.finish;
  if (finish !== null) events.push({ data: chunk({}, finish), isEnd: true });
  if (turn.usage !== null) {
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, ...turn.usage };
    events.push({ data: JSON.stringify({ id: "chatcmpl-1", model, choices: [], usage }), isEnd: true });
  }
  if (turn.done !== false) events.push({ data: "[DONE]", isEnd: true });
  return events;
}

function asError(error: object | string): object {
  return typeof error === "string" ? { message: error, type: "server_error" } : error;
}

function piecesOf(calls: readonly ReadyCall[], interleave: boolean): object[] {
  const byCall = calls.map((call) => {
    const fragments = call.fragments.length === 0 ? [undefined] : call.fragments;
    return fragments.map((text, order) => piece(call, text, order === 0));
  });
  if (!interleave) return byCall.flat();
  const longest = Math.max(0, ...byCall.map((pieces) => pieces.length));
  return Array.from({ length: longest }, (_, order) => byCall.flatMap((pieces) => pieces[order] ?? [])).flat();
}

function piece(call: ReadyCall, text: string | undefined, isFirst: boolean): object {
  const argumentsPart = text === undefined ? {} : { arguments: text };
  return {
    ...(call.index === null ? {} : { index: call.index }),
    ...(isFirst && call.id !== null ? { id: call.id, type: "function" } : {}),
    function: { ...(isFirst ? { name: call.name } : {}), ...argumentsPart },
  };
}
