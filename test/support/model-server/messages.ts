import type { WireEvent } from "./events.ts";
import { readyCalls, textsOf } from "./fragments.ts";
import type { Turn } from "./turn.ts";

/** The events of one Anthropic Messages answer. */
export function messagesEvents(turn: Turn, model: string, mint: () => string): WireEvent[] {
  const usage = { input_tokens: 11, output_tokens: 7, ...turn.usage };
  const events: WireEvent[] = [];
  const send = (type: string, rest: object, isEnd = false): void => {
    events.push({ name: type, data: JSON.stringify({ type, ...rest }), isEnd });
  };
  let index = 0;
  const block = (start: object, deltas: readonly object[]): void => {
    send("content_block_start", { index, content_block: start });
    for (const delta of deltas) send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
    index += 1;
  };
  send("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });
  if (turn.thinking !== undefined) {
    const signature = { type: "signature_delta", signature: turn.signature ?? "c2lnbmF0dXJl" };
    block({ type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: turn.thinking },
      ...(turn.signature === "" ? [] : [signature]),
    ]);
  }
  const texts = textsOf(turn);
  if (texts.length > 0) {
    block(
      { type: "text", text: "" },
      texts.map((text) => ({ type: "text_delta", text })),
    );
  }
  const calls = readyCalls(turn, mint);
  for (const call of calls) {
    const id = call.id === null ? {} : { id: call.id };
    block(
      { type: "tool_use", ...id, name: call.name, input: {} },
      call.fragments.map((partial_json) => ({ type: "input_json_delta", partial_json })),
    );
  }
  if (turn.errorEvent !== undefined) {
    const { errorEvent } = turn;
    send("error", { error: typeof errorEvent === "string" ? { type: "api_error", message: errorEvent } : errorEvent });
    return events;
  }
  const usual = calls.length > 0 ? "tool_use" : "end_turn";
  const finish = turn.finish === undefined ? usual : turn.finish;
  if (finish !== null) {
    const counts = turn.usage === null ? {} : { usage: { ...usage } };
    send("message_delta", { delta: { stop_reason: finish, stop_sequence: null }, ...counts }, true);
  }
  if (turn.done !== false) send("message_stop", {}, true);
  return events;
}
