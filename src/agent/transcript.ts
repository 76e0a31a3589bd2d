import type { AssistantMessage, Message, ToolMessage, ToolResultBlock, UserMessage } from "../llm/messages.ts";

/** What was said, in order. Only ever grows; every tool call in it has its result in the message that follows. */
export class Transcript {
  readonly #messages: Message[] = [];

  get messages(): readonly Message[] {
    return this.#messages;
  }

  addUser(message: UserMessage): void {
    this.#messages.push(message);
  }

  /** A message without content (a model may send one) says nothing and is left out: services refuse it. */
  addAssistant(message: AssistantMessage): void {
    if (message.content.length > 0) this.#messages.push(message);
  }

  addResults(content: readonly ToolResultBlock[], time: number): void {
    const message: ToolMessage = { role: "tool", content, time };
    this.#messages.push(message);
  }
}
