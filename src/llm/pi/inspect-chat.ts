import { LlmError } from "../error.ts";
import { parseExact } from "./exact-json.ts";
import { field, payloadOf, type StreamInspector } from "./inspector.ts";
import { eventError, type Service } from "./service-error.ts";
import type { SseEvent } from "./sse.ts";

interface Call {
  /** The index under which the service sends it; not always a number, not always its own. */
  readonly index: unknown;
  /** The id that the service gave, "" for none. */
  readonly given: string;
  /** The id handed on; no other call of this answer has it. */
  readonly id: string;
}

/** Reasons that compatible servers borrow from other protocols. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ["max_tokens", "length"],
  ["end_turn", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "tool_calls"],
]);

/**
 * Chat Completions as compatible servers really speak it. The library joins the pieces of a tool call by `index` and by
 * `id`, so a missing index, one index for all calls, or one id for two calls would glue calls together or tear one apart;
 * every piece leaves here with an index of its call and an id that no other call has.
 */
export class ChatInspector implements StreamInspector {
  answered = false;
  finished = false;
  countsReasoning = false;
  readonly knowsEnd = true;
  readonly repeatedArguments: ReadonlyMap<string, string> = new Map();
  readonly #service: Service;
  /** In order of appearance; the position is the index handed on. */
  readonly #calls: Call[] = [];

  constructor(service: Service) {
    this.#service = service;
  }

  inspect(event: SseEvent): readonly SseEvent[] {
    if (event.data.trim() === "[DONE]") {
      this.finished = true;
      return [{ event: "", data: "[DONE]" }];
    }
    const chunk = payloadOf(event);
    if (event.event === "error") throw eventError(this.#service, chunk ?? event.data);
    if (typeof chunk !== "object" || chunk === null) return this.#foreign(event);
    const error = field(chunk, "error");
    if (error !== undefined && error !== null) throw eventError(this.#service, chunk);
    this.#noteUsage(chunk);
    const isMended = [this.#mendFinish(chunk), this.#mendCalls(chunk, event.data)].includes(true);
    return [{ event: "", data: isMended ? JSON.stringify(chunk) : event.data }];
  }

  #foreign(event: SseEvent): readonly SseEvent[] {
    // `event: ping` and the like are keep-alives; data without a name can only be a piece of the answer, and is lost.
    if (event.event !== "" && event.event !== "message") return [];
    throw new LlmError("server", `${this.#service.provider} sent a piece of its answer that is not JSON`);
  }

  #noteUsage(chunk: object): void {
    const counts = [
      field(chunk, "usage", "completion_tokens_details", "reasoning_tokens"),
      field(chunk, "usage", "reasoning_tokens"),
    ];
    if (counts.some((count) => typeof count === "number")) this.countsReasoning = true;
  }

  #mendFinish(chunk: object): boolean {
    const choice = field(chunk, "choices", 0);
    const reason = field(choice, "finish_reason");
    if (typeof choice !== "object" || choice === null || typeof reason !== "string" || reason === "") return false;
    this.answered = true;
    const meant = FINISH_REASONS.get(reason);
    return meant !== undefined && Reflect.set(choice, "finish_reason", meant);
  }

  #mendCalls(chunk: object, data: string): boolean {
    const pieces = field(chunk, "choices", 0, "delta", "tool_calls");
    if (!Array.isArray(pieces) || pieces.length === 0) return false;
    pieces.forEach((piece: unknown, order) => {
      if (typeof piece !== "object" || piece === null) return;
      const position = this.#positionOf(piece);
      Reflect.set(piece, "index", position);
      Reflect.set(piece, "id", this.#calls[position]?.id);
      mendFunction(field(piece, "function"), () =>
        field(parseExact(data), "choices", 0, "delta", "tool_calls", order, "function", "arguments"),
      );
    });
    return true;
  }

  #positionOf(piece: object): number {
    const index = field(piece, "index");
    const id = field(piece, "id");
    const name = field(piece, "function", "name");
    const given = typeof id === "string" ? id : "";
    if (typeof index !== "number") return this.#unnumbered(given) ?? this.#begin(index, given);
    const known = this.#calls.findLastIndex((call) => call.index === index);
    if (known === -1) return this.#begin(index, given);
    // Another id with a name under a known index: a server that numbers every call 0.
    const isAnother = given !== "" && this.#calls[known]?.given !== given && typeof name === "string" && name !== "";
    return isAnother ? this.#begin(index, given) : known;
  }

  /** Without an index a piece belongs to the call before it, unless it brings an id of its own. */
  #unnumbered(given: string): number | undefined {
    const known = given === "" ? this.#calls.length - 1 : this.#calls.findLastIndex((call) => call.given === given);
    return known === -1 ? undefined : known;
  }

  #begin(index: unknown, given: string): number {
    const isTaken = given === "" || this.#calls.some((call) => call.id === given);
    const id = isTaken ? `call_${crypto.randomUUID().replaceAll("-", "")}` : given;
    return this.#calls.push({ index, given, id }) - 1;
  }
}

/** Servers have sent a name that is no text, and arguments as an object in place of its text. */
function mendFunction(target: unknown, exactArguments: () => unknown): void {
  if (typeof target !== "object" || target === null) return;
  const name = field(target, "name");
  if (name !== undefined && typeof name !== "string") Reflect.set(target, "name", "");
  const given = field(target, "arguments");
  if (typeof given === "object" && given !== null) Reflect.set(target, "arguments", JSON.stringify(exactArguments()));
}
