import type { AssistantMessage, Message, ToolResultBlock, UserMessage } from "../../../llm/messages.ts";
import {
  type AnswerFacts,
  callNames,
  NO_OMP_USAGE,
  type OmpBashExecution,
  type OmpMessage,
  ompAssistant,
  ompResult,
  ompUser,
  type ResultFacts,
} from "./message.ts";

/**
 * What was seen of messages while they came and the transcript does not keep: usage, details of results, text that an
 * extension rewrote. Gone with the message; a message of an older session has none.
 */
export class MessageFacts {
  readonly #answers = new WeakMap<AssistantMessage, AnswerFacts & { readonly shown: string | undefined }>();
  readonly #results = new WeakMap<ToolResultBlock, ResultFacts>();
  readonly #steering = new WeakSet<UserMessage["content"]>();
  readonly #bash = new WeakMap<UserMessage["content"], OmpBashExecution>();

  answered(message: AssistantMessage, shown: string | undefined, facts: AnswerFacts): void {
    this.#answers.set(message, { ...facts, shown });
  }

  resulted(result: ToolResultBlock, facts: ResultFacts): void {
    this.#results.set(result, facts);
  }

  /** `content` was or will be said as steering. */
  steered(content: UserMessage["content"]): void {
    this.#steering.add(content);
  }

  isSteering(content: UserMessage["content"]): boolean {
    return this.#steering.has(content);
  }

  /** `content` tells the model of a command that the client ran. */
  ran(content: UserMessage["content"], execution: OmpBashExecution): void {
    this.#bash.set(content, execution);
  }

  /**
   * A transcript as the client gets it; message by message, since a tool message may hold several results.
   * @param display the text that a human may see in place of the message's own, where a session kept one
   */
  translated(
    transcript: readonly Message[],
    display: (message: AssistantMessage) => string | undefined,
  ): OmpMessage[][] {
    const names = callNames(transcript);
    return transcript.map((message) => this.#translate(message, names, display));
  }

  #translate(
    message: Message,
    names: ReadonlyMap<string, string>,
    display: (message: AssistantMessage) => string | undefined,
  ): OmpMessage[] {
    switch (message.role) {
      case "user": {
        const bash = this.#bash.get(message.content);
        return [bash ?? ompUser(message, this.isSteering(message.content))];
      }
      case "assistant": {
        const facts = this.#answers.get(message);
        const stopReason = message.content.some((block) => block.type === "tool_call") ? "toolUse" : "stop";
        const shown = facts === undefined ? (display(message) ?? textIn(message)) : facts.shown;
        return [ompAssistant(message, shown, facts ?? { usage: NO_OMP_USAGE, stopReason })];
      }
      case "tool":
        return message.content.map((result) => {
          const name = names.get(result.callId) ?? "";
          return ompResult(result, name, message.time, this.#results.get(result) ?? {});
        });
    }
  }
}

function textIn(message: AssistantMessage): string {
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
