import { field, payloadOf, type StreamInspector } from "./inspector.ts";
import { eventError, type Service } from "./service-error.ts";
import type { SseEvent } from "./sse.ts";

/** OpenAI's Responses protocol. It repeats the arguments of a call when the call is done, and that text is the valid one. */
export class ResponsesInspector implements StreamInspector {
  answered = false;
  finished = false;
  countsReasoning = false;
  readonly knowsEnd = true;
  readonly repeatedArguments = new Map<string, string>();
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  inspect(event: SseEvent): readonly SseEvent[] {
    const payload = payloadOf(event);
    const type = field(payload, "type");
    if (event.event === "error" || type === "error") throw eventError(this.#service, payload ?? event.data);
    if (type === "response.failed") throw eventError(this.#service, field(payload, "response", "error") ?? payload);
    if (payload === undefined) return [];
    if (type === "response.output_item.done") this.#noteCall(field(payload, "item"));
    if (type === "response.completed" || type === "response.incomplete") {
      this.answered = true;
      this.finished = true;
      const reasoning = field(payload, "response", "usage", "output_tokens_details", "reasoning_tokens");
      this.countsReasoning = typeof reasoning === "number";
    }
    return [{ event: event.event, data: event.data }];
  }

  #noteCall(item: unknown): void {
    const text = field(item, "arguments");
    if (field(item, "type") !== "function_call" || typeof text !== "string") return;
    this.repeatedArguments.set(`${field(item, "call_id")}|${field(item, "id")}`, text);
  }
}
