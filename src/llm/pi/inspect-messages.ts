import { parseExact } from "./exact-json.ts";
import { field, payloadOf, type StreamInspector } from "./inspector.ts";
import { eventError, type Service } from "./service-error.ts";
import type { SseEvent } from "./sse.ts";

const KNOWN_STOPS = new Set([
  "end_turn",
  "max_tokens",
  "tool_use",
  "refusal",
  "pause_turn",
  "stop_sequence",
  "sensitive",
]);

/**
 * The Messages protocol. The library drops events without a name, and the text that a compatible server puts into the start
 * of a block instead of a delta; it throws on a stop reason that it does not know.
 */
export class MessagesInspector implements StreamInspector {
  answered = false;
  finished = false;
  countsReasoning = false;
  readonly knowsEnd = true;
  readonly repeatedArguments: ReadonlyMap<string, string> = new Map();
  readonly #service: Service;
  #hasStopReason = false;

  constructor(service: Service) {
    this.#service = service;
  }

  inspect(event: SseEvent): readonly SseEvent[] {
    const payload = payloadOf(event);
    const type = field(payload, "type");
    if (event.event === "error" || type === "error") throw eventError(this.#service, payload ?? event.data);
    // Raw control characters inside a string make it no JSON; the library mends those of events that it knows by name.
    if (payload === undefined) return event.event === "" ? [] : [event];
    const name = typeof type === "string" ? type : event.event;
    if (name === "ping") return [];
    if (name === "message_stop") {
      this.answered = this.#hasStopReason;
      this.finished = true;
    }
    if (name === "content_block_start") return startOfBlock(payload, event.data);
    if (name === "message_start") return [mendedStart(payload, event.data)];
    if (name === "message_delta") return [this.#mendedDelta(payload, event.data)];
    return [{ event: name, data: event.data }];
  }

  #mendedDelta(payload: unknown, data: string): SseEvent {
    if (typeof field(payload, "usage", "output_tokens_details", "thinking_tokens") === "number") {
      this.countsReasoning = true;
    }
    const delta = field(payload, "delta");
    const reason = field(delta, "stop_reason");
    if (typeof reason === "string") this.#hasStopReason = true;
    if (typeof delta !== "object" || delta === null || typeof reason !== "string" || KNOWN_STOPS.has(reason)) {
      return { event: "message_delta", data };
    }
    // A newer reason is an end all the same; a full context window cut the answer as a token limit does.
    Reflect.set(delta, "stop_reason", reason === "model_context_window_exceeded" ? "max_tokens" : "end_turn");
    return { event: "message_delta", data: JSON.stringify(payload) };
  }
}

function mendedStart(payload: unknown, data: string): SseEvent {
  const message = field(payload, "message");
  const usage = field(message, "usage");
  if (typeof message !== "object" || message === null || (typeof usage === "object" && usage !== null)) {
    return { event: "message_start", data };
  }
  Reflect.set(message, "usage", {});
  return { event: "message_start", data: JSON.stringify(payload) };
}

/** A block that starts with content becomes an empty start and a delta, which is how the protocol has it. */
function startOfBlock(payload: unknown, data: string): SseEvent[] {
  const name = "content_block_start";
  const block = field(payload, "content_block");
  const delta = deltaInStart(block, data);
  if (delta === undefined || typeof block !== "object" || block === null) return [{ event: name, data }];
  for (const key of ["text", "thinking"]) if (Object.hasOwn(block, key)) Reflect.set(block, key, "");
  if (Object.hasOwn(block, "input")) Reflect.set(block, "input", {});
  const next = { type: "content_block_delta", index: field(payload, "index"), delta };
  return [
    { event: name, data: JSON.stringify(payload) },
    { event: "content_block_delta", data: JSON.stringify(next) },
  ];
}

function deltaInStart(block: unknown, data: string): object | undefined {
  const type = field(block, "type");
  const text = field(block, "text");
  if (type === "text" && typeof text === "string" && text !== "") return { type: "text_delta", text };
  const thinking = field(block, "thinking");
  if (type === "thinking" && typeof thinking === "string" && thinking !== "") {
    return { type: "thinking_delta", thinking };
  }
  const input = field(block, "input");
  if (type !== "tool_use" || typeof input !== "object" || input === null || Object.keys(input).length === 0) {
    return undefined;
  }
  return { type: "input_json_delta", partial_json: JSON.stringify(field(parseExact(data), "content_block", "input")) };
}
