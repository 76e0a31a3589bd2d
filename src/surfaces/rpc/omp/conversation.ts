import { join } from "node:path";
import { sessionsIn } from "../../../agent/session/list.ts";
import type { Session } from "../../../agent/session/session.ts";
import { type Message, textOf } from "../../../llm/messages.ts";
import type { RpcEngine } from "../engine.ts";
import { RpcError } from "../error.ts";
import type { OmpBashExecution, OmpMessage } from "./message.ts";
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

/** The conversation that is open: its messages as entries with ids, and its changes for another. */
export class Conversation {
  readonly #engine: RpcEngine;
  readonly #facts: MessageFacts;
  /** A message keeps its id as long as it lives, whatever happens to those before it. */
  readonly #ids = new WeakMap<object, string>();
  /** Commands that the client ran and the model is not told of, by the message that they came after. */
  readonly #excluded = new WeakMap<object, OmpBashExecution[]>();
  #lastId = 0;

  constructor(engine: RpcEngine, facts: MessageFacts) {
    this.#engine = engine;
    this.#facts = facts;
  }

  get id(): string {
    return this.#session.id;
  }

  get name(): string | undefined {
    return this.#session.title || undefined;
  }

  /** Absolute; undefined when nothing is kept. */
  get file(): string | undefined {
    return this.#engine.savesSessions ? this.#session.context().path : undefined;
  }

  get messages(): readonly OmpMessage[] {
    return this.#parts.map(({ part }) => part);
  }

  /** All messages, in the order in which they were said. */
  get entries(): readonly Entry[] {
    const entries: Entry[] = [];
    for (const { part, id } of this.#parts) {
      const parentId = entries.at(-1)?.id ?? null;
      const timestamp = new Date(part.timestamp).toISOString();
      entries.push({ type: "message", id, parentId, timestamp, message: part });
    }
    return entries;
  }

  /** Id of the newest entry; null when nothing was said. */
  get leafId(): string | null {
    return this.#parts.at(-1)?.id ?? null;
  }

  /** Id of a message, by its place in the transcript. */
  entryIdAt(index: number): string | undefined {
    const message = this.#session.messages[index];
    return message === undefined ? undefined : this.#idOf(message);
  }

  rename(name: string): void {
    this.#session.rename(name);
  }

  /** The client ran a command. @param told what the model is told of it; undefined: nothing */
  ran(execution: OmpBashExecution, told: string | undefined): void {
    if (told !== undefined) {
      const content = [{ type: "text", text: told }] as const;
      this.#facts.ran(content, execution);
      this.#engine.agent.remark(content);
      return;
    }
    const anchor = this.#session.messages.at(-1) ?? this.#session;
    this.#excluded.set(anchor, [...(this.#excluded.get(anchor) ?? []), execution]);
  }

  /** Begins an empty one. */
  async begin(): Promise<void> {
    await this.#open(this.#engine.sessions.create(this.#model));
  }

  /** Goes on with the one in the file at `path`, which is made when it is not there. Throws `RpcError`. */
  async openFile(path: string): Promise<void> {
    if (path === this.file) return;
    const opening = await this.#engine.sessions.open(path, this.#model);
    if ("fault" in opening) throw new RpcError(opening.fault);
    await this.#open(opening.session);
  }

  /** Goes on with the newest one in a folder, or begins one there; true when there was one. Throws `RpcError`. */
  async openNewestIn(folder: string): Promise<boolean> {
    if (!this.#engine.savesSessions) {
      throw new RpcError("open_session requires session persistence (omit --no-session)");
    }
    for await (const { path, hasContent } of sessionsIn(folder)) {
      if (!hasContent) continue;
      await this.openFile(path);
      return true;
    }
    await this.openFile(join(folder, `${new Date().toISOString().replace(/[:.]/g, "-")}-${crypto.randomUUID()}.jsonl`));
    return false;
  }

  /** Begins one with what was said before the user message `entryId`; gives the text of that. Throws `RpcError`. */
  async branch(entryId: string): Promise<string> {
    const { messages } = this.#session;
    const at = messages.findIndex((message) => message.role === "user" && this.#idOf(message) === entryId);
    const message = messages[at];
    if (message === undefined) throw new RpcError("Invalid entry ID for branching");
    await this.#open(await this.#session.fork(at));
    return textOf(message);
  }

  /** Begins one with everything up to the entry `entryId`, or with all. Throws `RpcError`. */
  async fork(entryId: string | undefined): Promise<void> {
    const { messages } = this.#session;
    const at = messages.findIndex((message) => this.#idOf(message) === entryId?.split(".")[0]);
    if (entryId !== undefined && at < 0) throw new RpcError("Invalid entry ID for forking");
    await this.#open(await this.#session.fork(entryId === undefined ? messages.length : at + 1));
  }

  get #session(): Session {
    return this.#engine.agent.session;
  }

  get #model(): { readonly provider: string; readonly model: string } {
    const { provider, id } = this.#engine.agent.model;
    return { provider, model: id };
  }

  /** A tool message of several results is several messages to the client. */
  get #parts(): readonly { readonly part: OmpMessage; readonly id: string }[] {
    const { messages } = this.#session;
    const translated = this.#facts.translated(messages, (message) => this.#session.displayText(message));
    return [
      ...this.#excludedAfter(this.#session),
      ...translated.flatMap((parts, at) => {
        const message = messages[at];
        if (message === undefined) return [];
        const id = this.#idOf(message);
        const own = parts.map((part, index) => ({ part, id: index === 0 ? id : `${id}.${index}` }));
        return [...own, ...this.#excludedAfter(message)];
      }),
    ];
  }

  #excludedAfter(anchor: Message | Session): { readonly part: OmpMessage; readonly id: string }[] {
    return (this.#excluded.get(anchor) ?? []).map((part) => ({ part, id: this.#idOf(part) }));
  }

  async #open(session: Session): Promise<void> {
    const before = await this.#engine.agent.openSession(session);
    before.close();
  }

  #idOf(message: object): string {
    const known = this.#ids.get(message);
    if (known !== undefined) return known;
    this.#lastId += 1;
    const id = this.#lastId.toString(16).padStart(8, "0");
    this.#ids.set(message, id);
    return id;
  }
}
