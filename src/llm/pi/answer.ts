import type { AssistantMessageEvent, AssistantMessage as PiAssistant, Usage as PiUsage } from "@earendil-works/pi-ai";
import type { AssistantMessage, StopReason, Usage } from "../messages.ts";
import type { ModelEvent } from "../port.ts";
import type { StreamInspector } from "./inspector.ts";
import { keepSignature } from "./signature.ts";
import { mayBeEmpty, settledArguments } from "./tool-arguments.ts";

export interface AnswerOptions {
  readonly api: string;
  readonly provider: string;
  readonly model: string;
  readonly inspector: StreamInspector;
  /** Ids of calls that the conversation already holds. */
  readonly takenIds: ReadonlySet<string>;
}

interface Call {
  readonly id: string;
  /** The id under which the service knows it. */
  readonly serviceId: string;
  name: string;
  /** The arguments as they have come, raw. Only ever added to: reading it with every piece would cost its whole length. */
  text: string;
  /** The end of `text` that was not handed on yet. */
  held: string;
  hasSent: boolean;
  isStarted: boolean;
  isEnded: boolean;
}

/** Ids that can be printed, sent and compared; anything else is replaced by one of ours. */
const USABLE_ID = /^[!-~]{1,200}$/;

/**
 * Turns the library's events of one answer into ours. Tool arguments are put together from the raw pieces: the library's own
 * value has been parsed, and with it digits are lost.
 */
export class Answer {
  readonly #options: AnswerOptions;
  readonly #time = Date.now();
  readonly #calls = new Map<number, Call>();
  readonly #ids = new Set<string>();

  constructor(options: AnswerOptions) {
    this.#options = options;
  }

  /** The events that one event of the library means; none for those that only frame others. */
  translate(event: AssistantMessageEvent): ModelEvent[] {
    switch (event.type) {
      case "text_delta":
        return event.delta === "" ? [] : [{ type: "text_delta", delta: event.delta }];
      case "thinking_delta":
        return event.delta === "" ? [] : [{ type: "reasoning_delta", delta: event.delta }];
      case "toolcall_start":
        return this.#begin(event.contentIndex, event.partial);
      case "toolcall_delta":
        return this.#extend(event.contentIndex, event.partial, event.delta);
      case "toolcall_end":
        return this.#end(event.contentIndex);
      case "done":
        return this.#finish(event.message);
      default:
        return [];
    }
  }

  #begin(index: number, partial: PiAssistant): ModelEvent[] {
    const block = partial.content[index];
    const serviceId: unknown = block?.type === "toolCall" ? block.id : "";
    const name = nameIn(partial, index);
    const call: Call = {
      id: this.#idFor(serviceId),
      serviceId: typeof serviceId === "string" ? serviceId : "",
      name,
      text: "",
      held: "",
      hasSent: false,
      isStarted: false,
      isEnded: false,
    };
    this.#calls.set(index, call);
    // A server may send the name after the start; until the first argument there is time.
    return name === "" ? [] : start(call);
  }

  #extend(index: number, partial: PiAssistant, delta: string): ModelEvent[] {
    const call = this.#calls.get(index);
    if (call === undefined || call.isEnded) return [];
    call.text += delta;
    call.held += delta;
    if (!call.isStarted) call.name = nameIn(partial, index);
    // Blanks and `null` mean `{}`; which it is, is known only when more or nothing more comes.
    return !call.hasSent && mayBeEmpty(call.held) ? [] : [...start(call), ...hand(call)];
  }

  #end(index: number): ModelEvent[] {
    const call = this.#calls.get(index);
    if (call === undefined || call.isEnded) return [];
    const whole = settledArguments(this.#options.inspector.repeatedArguments.get(call.serviceId) ?? call.text);
    if (!call.hasSent) call.held = whole;
    else if (whole.startsWith(call.text)) call.held += whole.slice(call.text.length);
    call.text = whole;
    call.isEnded = true;
    return [...start(call), ...hand(call), { type: "tool_call_end", id: call.id }];
  }

  #idFor(given: unknown): string {
    const isUsable = typeof given === "string" && USABLE_ID.test(given) && !this.#options.takenIds.has(given);
    const id = isUsable && !this.#ids.has(given) ? given : `call_${crypto.randomUUID().replaceAll("-", "")}`;
    this.#ids.add(id);
    return id;
  }

  #finish(message: PiAssistant): ModelEvent[] {
    const open = [...this.#calls.keys()].flatMap((index) => this.#end(index));
    const translated: AssistantMessage = {
      role: "assistant",
      content: message.content.flatMap((block, index) => this.#block(block, index)),
      time: this.#time,
      provider: this.#options.provider,
      model: this.#options.model,
    };
    const stop = stopReason(message, this.#calls.size > 0);
    const usage = usageOf(message.usage, this.#options.inspector.countsReasoning);
    return [...open, { type: "message", message: translated, stop, usage }];
  }

  #block(block: PiAssistant["content"][number], index: number): AssistantMessage["content"] {
    const { api } = this.#options;
    if (block.type === "text") {
      return block.text === "" ? [] : [{ type: "text", text: block.text, ...signed(api, block.textSignature) }];
    }
    if (block.type === "thinking") {
      const token = signed(api, block.thinkingSignature);
      if (block.redacted === true) return [{ type: "reasoning", text: "", redacted: true, ...token }];
      const isEmpty = block.thinking === "" && token.signature === undefined;
      return isEmpty ? [] : [{ type: "reasoning", text: block.thinking, ...token }];
    }
    const call = this.#calls.get(index);
    if (call === undefined) return [];
    const token = signed(api, block.thoughtSignature);
    return [{ type: "tool_call", id: call.id, name: call.name, arguments: call.text, ...token }];
  }
}

function signed(api: string, token: string | undefined): { readonly signature?: string } {
  const signature = keepSignature(api, token);
  return signature === undefined ? {} : { signature };
}

/** The name as far as it has come; services have sent null and numbers. */
function nameIn(partial: PiAssistant, index: number): string {
  const block = partial.content[index];
  const name: unknown = block?.type === "toolCall" ? block.name : "";
  return typeof name === "string" ? name : "";
}

function start(call: Call): ModelEvent[] {
  if (call.isStarted) return [];
  call.isStarted = true;
  return [{ type: "tool_call_start", id: call.id, name: call.name }];
}

function hand(call: Call): ModelEvent[] {
  const delta = call.held;
  if (delta === "") return [];
  call.held = "";
  call.hasSent = true;
  return [{ type: "tool_call_delta", id: call.id, delta }];
}

function stopReason(message: PiAssistant, hasCalls: boolean): StopReason {
  if (message.stopReason === "length") return "length";
  // Servers end an answer with calls by "stop", and one without by "tool_calls"; what is in it decides.
  return hasCalls ? "tool_use" : "end_turn";
}

function usageOf(usage: PiUsage, countsReasoning: boolean): Usage {
  return {
    input: count(usage.input),
    output: count(usage.output),
    reasoning: countsReasoning && usage.reasoning !== undefined ? count(usage.reasoning) : null,
    cacheRead: count(usage.cacheRead),
    cacheWrite: count(usage.cacheWrite),
    costUsd: Number.isFinite(usage.cost.total) ? usage.cost.total : 0,
  };
}

/** Counts come from the wire, where they have been text, negative, and missing. */
function count(value: unknown): number {
  const number = Math.trunc(Number(value));
  return Number.isFinite(number) && number > 0 ? number : 0;
}
