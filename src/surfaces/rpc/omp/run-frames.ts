import type { PromptEnd } from "../../../agent/agent.ts";
import type { AgentEvent } from "../../../agent/events.ts";
import { AnswerFrames } from "./answer-frames.ts";
import { emitCompaction } from "./compaction-frames.ts";
import type { EventGate } from "./event-gate.ts";
import { type OmpAssistantMessage, ompUser, type ResultFacts } from "./message.ts";
import type { MessageFacts } from "./message-facts.ts";
import { MessageStream } from "./message-stream.ts";
import { RetryFrames } from "./retry-frames.ts";
import { ToolFrames } from "./tool-frames.ts";

export interface RunFramesOptions {
  readonly gate: EventGate;
  readonly facts: MessageFacts;
  /** What a client said of the result of a call besides what the model gets. */
  readonly resultFacts: (callId: string) => ResultFacts;
}

type TurnEnd = Extract<AgentEvent, { type: "turn_end" }>;

/**
 * The agent's own events as those of the omp wire (rpc-wire.md §3.1, §4). A run there spans everything from the first
 * prompt until nothing waits any more; a turn is one answer with the results of its tool calls.
 */
export class RunFrames {
  readonly #gate: EventGate;
  readonly #facts: MessageFacts;
  readonly #stream: MessageStream;
  readonly #answer: AnswerFrames;
  readonly #tools: ToolFrames;
  readonly #retries: RetryFrames;
  #isRunning = false;
  #isTurnOpen = false;
  #isSilent = false;
  /** The answer whose tools are running. */
  #answered: OmpAssistantMessage | undefined;

  constructor({ gate, facts, resultFacts }: RunFramesOptions) {
    this.#gate = gate;
    this.#facts = facts;
    this.#stream = new MessageStream(gate);
    this.#answer = new AnswerFrames(gate, this.#stream, facts);
    this.#tools = new ToolFrames({ gate, facts, stream: this.#stream, resultFacts });
    this.#retries = new RetryFrames(gate);
  }

  /** The session is changed under the run: what still comes of it is nobody's business (§3.1). */
  silence(): void {
    this.#isSilent = this.#isRunning;
    this.#answer.drop();
  }

  event(event: AgentEvent): void {
    if (this.#isSilent) return;
    switch (event.type) {
      case "user_message":
        this.#openTurn();
        this.#stream.whole(ompUser(event.message, this.#facts.isSteering(event.message.content)));
        break;
      case "turn_start":
        this.#openTurn();
        break;
      case "turn_end":
        this.#turnEnded(event);
        break;
      case "retry_scheduled":
        this.#retries.scheduled(event);
        break;
      case "message_hidden":
        this.#hidden(event.extension, event.reason);
        break;
      case "request_started":
        this.#retries.requested();
        this.#openTurn();
        this.#answer.event(event);
        break;
      case "assistant_start":
      case "text_delta":
      case "reasoning_delta":
      case "tool_use_start":
      case "tool_use_args":
      case "tool_use_end":
      case "assistant_message":
      case "usage":
        this.#answer.event(event);
        break;
      case "tool_call":
      case "approval_requested":
      case "tool_execution_started":
      case "tool_progress":
      case "tool_update":
      case "tool_result":
        this.#tools.event(event);
        if (this.#tools.isComplete) this.#closeTurn();
        break;
      case "compact_start":
      case "compact_delta":
      case "compact_done":
      case "compact_failed":
        emitCompaction(this.#gate, event);
        break;
      case "queue_changed":
      case "done":
        break;
    }
  }

  /** The run is over; `end` says how its last turn went. */
  end(end: PromptEnd | undefined): void {
    if (this.#isRunning && !this.#isSilent) {
      this.#complete(end);
      this.#retries.over();
      this.#gate.emit("agent_end", this.#stream.runFields());
    }
    this.#isRunning = false;
    this.#isTurnOpen = false;
    this.#isSilent = false;
    this.#answered = undefined;
    this.#answer.drop();
    this.#tools.forget();
    this.#stream.forget();
  }

  #openTurn(): void {
    if (this.#answered !== undefined) this.#closeTurn();
    if (!this.#isRunning) this.#gate.emit("agent_start");
    this.#isRunning = true;
    if (!this.#isTurnOpen) this.#gate.emit("turn_start");
    this.#isTurnOpen = true;
  }

  #turnEnded(end: TurnEnd): void {
    // The pause before a repetition was cut short; the attempt before it has ended already.
    if (this.#retries.isWaiting && end.stop === "error") return;
    this.#openTurn();
    const message = this.#answer.finish(end);
    if (end.stop === "error") this.#retries.failed(end.error ?? "");
    else if (end.stop !== "aborted") this.#retries.succeeded();
    this.#answered = message;
    const calls = message.content.filter((block) => block.type === "toolCall").length;
    if (calls === 0 || end.stop === "error" || end.stop === "aborted") this.#closeTurn();
    else this.#tools.expect(calls);
  }

  #closeTurn(): void {
    this.#gate.emit("turn_end", { message: this.#answered, toolResults: this.#tools.take() });
    this.#answered = undefined;
    this.#isTurnOpen = false;
  }

  /** A run that did not come to its natural end still ends with an answer that says why. */
  #complete(end: PromptEnd | undefined): void {
    if (this.#answered !== undefined) this.#closeTurn();
    const { lastStop } = this.#stream;
    if (end?.kind === "aborted" && lastStop !== "aborted") this.#turnEnded({ type: "turn_end", stop: "aborted" });
    if (end?.kind === "failed" && lastStop !== "error") {
      this.#turnEnded({ type: "turn_end", stop: "error", error: end.error.message });
    }
  }

  #hidden(extension: string, reason: string): void {
    const message = `message hidden by ${extension}: ${reason}`;
    this.#gate.emit("notice", { level: "warning", message, source: extension });
  }
}
