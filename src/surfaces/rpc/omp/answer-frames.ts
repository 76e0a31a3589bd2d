import type { AgentEvent } from "../../../agent/events.ts";
import type { AssistantMessage } from "../../../llm/messages.ts";
import { AssistantDraft } from "./draft.ts";
import type { EventGate } from "./event-gate.ts";
import { NO_OMP_USAGE, type OmpAssistantMessage, type OmpUsage, ompAssistant, ompStop, ompUsage } from "./message.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { MessageStream } from "./message-stream.ts";
import { MessageUpdates } from "./message-updates.ts";

export type AnswerEvent = Extract<
  AgentEvent,
  {
    type:
      | "request_started"
      | "assistant_start"
      | "text_delta"
      | "reasoning_delta"
      | "tool_use_start"
      | "tool_use_args"
      | "tool_use_end"
      | "assistant_message"
      | "usage";
  }
>;

type TurnEnd = Extract<AgentEvent, { type: "turn_end" }>;

const INTERRUPTED = "Interrupted by user";

/** One answer of the model, attempt by attempt (rpc-wire.md §4): it begins with its first content, or with its end. */
export class AnswerFrames {
  readonly #gate: EventGate;
  readonly #stream: MessageStream;
  readonly #facts: MessageFacts;
  #source = { provider: "", model: "" };
  #draft = this.#newDraft();
  #updates: MessageUpdates | undefined;
  #messageId: string | undefined;
  #said: { readonly message: AssistantMessage; readonly shown: string | undefined } | undefined;
  #usage: OmpUsage = NO_OMP_USAGE;

  constructor(gate: EventGate, stream: MessageStream, facts: MessageFacts) {
    this.#gate = gate;
    this.#stream = stream;
    this.#facts = facts;
  }

  event(event: AnswerEvent): void {
    switch (event.type) {
      case "request_started":
        this.#source = { provider: event.provider, model: event.model };
        break;
      case "assistant_start":
        this.drop();
        break;
      case "text_delta":
        this.#growing().write("text", event.delta);
        break;
      case "reasoning_delta":
        this.#growing().write("thinking", event.delta);
        break;
      case "tool_use_start":
        this.#step((draft) => draft.startCall(event.id, event.name));
        break;
      case "tool_use_args":
        this.#step((draft) => draft.growCall(event.id, event.delta));
        break;
      case "tool_use_end":
        this.#step((draft) => draft.endCall(event.id));
        break;
      case "assistant_message":
        this.#said = event;
        break;
      case "usage":
        this.#usage = ompUsage(event.usage);
        break;
    }
  }

  /** Ends the answer as the engine says it ended. */
  finish(end: TurnEnd): OmpAssistantMessage {
    if (this.#updates !== undefined) this.#step((draft) => draft.close());
    const message = this.#ended(end);
    this.#stream.end(message, this.#messageId ?? this.#stream.start(message));
    this.drop();
    return message;
  }

  /** Forgets what was said of an answer that has no end of its own. */
  drop(): void {
    this.#updates?.stop();
    this.#updates = undefined;
    this.#messageId = undefined;
    this.#said = undefined;
    this.#usage = NO_OMP_USAGE;
    this.#draft = this.#newDraft();
  }

  #ended({ stop, error, status }: TurnEnd): OmpAssistantMessage {
    if (stop === "error" || stop === "aborted") {
      const errorMessage = stop === "aborted" ? INTERRUPTED : (error ?? "");
      return {
        ...this.#draft.message(),
        stopReason: stop,
        errorMessage,
        ...(status === undefined ? {} : { errorStatus: status }),
      };
    }
    const facts = { usage: this.#usage, stopReason: ompStop(stop) };
    if (this.#said === undefined) return { ...this.#draft.message(), ...facts };
    const { message, shown } = this.#said;
    this.#facts.answered(message, shown, facts);
    return ompAssistant(message, shown, facts);
  }

  #step(change: (draft: AssistantDraft) => ReturnType<AssistantDraft["close"]>): void {
    const updates = this.#growing();
    // What waits belongs before this.
    updates.flush();
    updates.send(change(this.#draft));
  }

  #growing(): MessageUpdates {
    if (this.#updates !== undefined) return this.#updates;
    this.#messageId = this.#stream.start(this.#draft.message());
    this.#updates = new MessageUpdates(this.#draft, this.#messageId, this.#gate);
    return this.#updates;
  }

  #newDraft(): AssistantDraft {
    return new AssistantDraft({ ...this.#source, timestamp: Date.now() });
  }
}
