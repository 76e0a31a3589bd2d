import type { Session } from "../../../agent/session/session.ts";
import type { Message } from "../../../llm/messages.ts";
import { textOf } from "../../../llm/messages.ts";
import type { RpcEngine } from "../engine.ts";
import { RpcError } from "../error.ts";
import type { OmpMessage } from "./message.ts";
import type { MessageFacts } from "./message-facts.ts";

/** One message in the history of a conversation, as `get_entries` gives it. */
export interface Entry {
  readonly type: "message";
  readonly id: string;
  readonly parentId: string | null;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly message: OmpMessage;
}

/** The conversation that is open: what it is called, its messages as entries with ids, and its changes for another. */
export class Conversation {
  readonly #engine: RpcEngine;
  readonly #facts: MessageFacts;
  /** A message keeps its id as long as it lives, whatever happens to those before it. */
  readonly #ids = new WeakMap<Message, string>();
  #lastId = 0;

  constructor(engine: RpcEngine, facts: MessageFacts) {
    this.#engine = engine;
    this.#facts = facts;
  }

  get id(): string {
    return this.#engine.agent.session.id;
  }

  get name(): string | undefined {
    const { title } = this.#engine.agent.session;
    return title === "" ? undefined : title;
  }

  /** All messages, in the order in which they were said. A tool message of several results is several of them. */
  get entries(): readonly Entry[] {
    const { messages } = this.#engine.agent.session;
    const entries: Entry[] = [];
    for (const [at, parts] of this.#facts.translated(messages).entries()) {
      const message = messages[at];
      if (message === undefined) continue;
      const id = this.#idOf(message);
      for (const [index, part] of parts.entries()) {
        const parentId = entries.at(-1)?.id ?? null;
        const timestamp = new Date(message.time).toISOString();
        entries.push({ type: "message", id: index === 0 ? id : `${id}.${index}`, parentId, timestamp, message: part });
      }
    }
    return entries;
  }

  get messages(): readonly OmpMessage[] {
    return this.#facts.translated(this.#engine.agent.session.messages).flat();
  }

  /** Id of the newest entry; null when nothing was said. */
  get leafId(): string | null {
    return this.entries.at(-1)?.id ?? null;
  }

  rename(name: string): void {
    this.#engine.agent.session.rename(name);
  }

  /** Begins an empty one. */
  async begin(): Promise<void> {
    const { provider, id } = this.#engine.agent.model;
    await this.#replace(this.#engine.store.create({ provider, model: id }));
  }

  /** Begins one with what was said before the user message `entryId`; gives the text of that. Throws `RpcError`. */
  async branch(entryId: string): Promise<string> {
    const { messages } = this.#engine.agent.session;
    const at = messages.findIndex((message) => message.role === "user" && this.#idOf(message) === entryId);
    const message = messages[at];
    if (message === undefined) throw new RpcError("Invalid entry ID for branching");
    await this.#replace(await this.#engine.agent.session.fork(at));
    return textOf(message);
  }

  async #replace(session: Session): Promise<void> {
    (await this.#engine.agent.openSession(session)).close();
  }

  #idOf(message: Message): string {
    const known = this.#ids.get(message);
    if (known !== undefined) return known;
    this.#lastId += 1;
    const id = this.#lastId.toString(16).padStart(8, "0");
    this.#ids.set(message, id);
    return id;
  }
}
