import type { AgentEvent } from "../../../agent/events.ts";
import type { EventGate } from "./event-gate.ts";
import { type OmpToolResult, ompBlock, ompResult, parsedArguments, type ResultFacts } from "./message.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { MessageStream } from "./message-stream.ts";

export type ToolEvent = Extract<
  AgentEvent,
  {
    type:
      | "tool_call"
      | "approval_requested"
      | "tool_execution_started"
      | "tool_progress"
      | "tool_update"
      | "tool_result";
  }
>;

export interface ToolFramesOptions {
  readonly gate: EventGate;
  readonly facts: MessageFacts;
  readonly stream: MessageStream;
  readonly resultFacts: (callId: string) => ResultFacts;
}

interface Call {
  readonly name: string;
  readonly args: unknown;
  isStarted: boolean;
  /** The newest output; an update replaces the one before it. */
  output: string;
}

/** Characters of running output that an update carries. */
const OUTPUT_MAX_CHARS = 16 * 1024;

/** The tool calls of one answer (rpc-wire.md §4): start, updates and end of each, then its result as a message. */
export class ToolFrames {
  readonly #options: ToolFramesOptions;
  readonly #calls = new Map<string, Call>();
  #expected = 0;
  #results: OmpToolResult[] = [];

  constructor(options: ToolFramesOptions) {
    this.#options = options;
  }

  /** All results of the answer are in. */
  get isComplete(): boolean {
    return this.#expected > 0 && this.#results.length >= this.#expected;
  }

  expect(calls: number): void {
    this.#expected = calls;
  }

  event(event: ToolEvent): void {
    switch (event.type) {
      case "tool_call":
        this.#calls.set(event.id, {
          name: event.name,
          args: parsedArguments(event.args),
          isStarted: false,
          output: "",
        });
        break;
      case "approval_requested":
      case "tool_execution_started":
        this.#start(event.id);
        break;
      case "tool_progress": {
        const call = this.#calls.get(event.id);
        if (call === undefined) break;
        call.output = (call.output + event.text).slice(-OUTPUT_MAX_CHARS).toWellFormed();
        this.#update(event.id, { content: [{ type: "text", text: call.output }] });
        break;
      }
      case "tool_update":
        this.#update(event.id, { content: event.content.map(ompBlock), ...this.#options.resultFacts(event.id) });
        break;
      case "tool_result":
        this.#end(event);
        break;
    }
  }

  /** Gives the results of the answer and forgets its calls. */
  take(): readonly OmpToolResult[] {
    const results = this.#results;
    this.forget();
    return results;
  }

  forget(): void {
    this.#calls.clear();
    this.#expected = 0;
    this.#results = [];
  }

  #start(toolCallId: string): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined || call.isStarted) return;
    call.isStarted = true;
    this.#options.gate.emit("tool_execution_start", { toolCallId, toolName: call.name, args: call.args });
  }

  #update(toolCallId: string, partialResult: object): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    const { name: toolName, args } = call;
    this.#options.gate.emit("tool_execution_update", { toolCallId, toolName, args, partialResult });
  }

  #end({ result }: Extract<ToolEvent, { type: "tool_result" }>): void {
    const { gate, facts, stream, resultFacts } = this.#options;
    const { callId: toolCallId, content, isError } = result;
    // A call that never ran has an end, too, and every end its start.
    this.#start(toolCallId);
    const more = resultFacts(toolCallId);
    facts.resulted(result, more);
    const toolName = this.#calls.get(toolCallId)?.name ?? "";
    gate.emit("tool_execution_end", {
      toolCallId,
      toolName,
      result: { content: content.map(ompBlock), ...more, ...(isError ? { isError } : {}) },
      isError,
    });
    const message = ompResult(result, toolName, Date.now(), more);
    stream.whole(message);
    this.#results.push(message);
  }
}
