import type { WireEvent } from "./events.ts";
import { readyCalls, textsOf } from "./fragments.ts";
import type { Turn } from "./turn.ts";

/** The events of one OpenAI Responses answer. */
export function responsesEvents(turn: Turn, model: string, mint: () => string): WireEvent[] {
  const events: WireEvent[] = [];
  const send = (type: string, rest: object, isEnd = false): void => {
    events.push({ name: type, data: JSON.stringify({ type, ...rest }), isEnd });
  };
  let output_index = 0;
  const item = (started: object, deltas: readonly (readonly [string, object])[], done: object): void => {
    send("response.output_item.added", { output_index, item: started });
    for (const [type, rest] of deltas) send(type, { output_index, ...rest });
    send("response.output_item.done", { output_index, item: done });
    output_index += 1;
  };
  send("response.created", { response: { id: "resp_1", model } });
  if (turn.thinking !== undefined) {
    const summary = [{ type: "summary_text", text: turn.thinking }];
    const reasoning = { type: "reasoning", id: "rs_1" };
    const delta = ["response.reasoning_summary_text.delta", { delta: turn.thinking }] as const;
    item({ ...reasoning, summary: [] }, [delta], { ...reasoning, summary, encrypted_content: "c2VhbGVk" });
  }
  const texts = textsOf(turn);
  if (texts.length > 0) {
    const message = { type: "message", id: "msg_1", role: "assistant" };
    const content = [{ type: "output_text", text: texts.join("") }];
    const deltas = texts.map((delta) => ["response.output_text.delta", { delta }] as const);
    item({ ...message, content: [] }, deltas, { ...message, content });
  }
  for (const call of readyCalls(turn, mint)) {
    const started = { type: "function_call", id: `fc_${output_index}`, call_id: call.id, name: call.name };
    const deltas = call.fragments.map((delta) => ["response.function_call_arguments.delta", { delta }] as const);
    item({ ...started, arguments: "" }, deltas, { ...started, arguments: call.fragments.join("") });
  }
  if (turn.errorEvent !== undefined) {
    const { errorEvent } = turn;
    send("error", typeof errorEvent === "string" ? { code: "server_error", message: errorEvent } : errorEvent);
    return events;
  }
  if (turn.done !== false) {
    const usage = { input_tokens: 11, output_tokens: 7, total_tokens: 18, ...turn.usage };
    send("response.completed", { response: { id: "resp_1", status: "completed", output: [], usage } }, true);
  }
  return events;
}
