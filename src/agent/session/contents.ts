import type { Message, Usage } from "../../llm/messages.ts";
import { textOf } from "../../llm/messages.ts";
import type { RawJson } from "../../wire/raw-json.ts";
import { NO_USAGE } from "../events.ts";
import type { MessageMeta } from "./message-codec.ts";
import { tidyTitle } from "./title.ts";

/** Where a message stands in its file. */
export interface Place {
  /** First byte of its row. */
  readonly offset: number;
  /** Its index in a `compaction` row. */
  readonly element?: number;
}

/** `offset` is undefined for a row that could not be saved. */
export function placeAt(offset: number | undefined, element?: number): Place | undefined {
  if (offset === undefined) return undefined;
  return element === undefined ? { offset } : { offset, element };
}

/** A message of the transcript with what only its row knows. */
export interface Entry {
  readonly message: Message;
  readonly meta: MessageMeta;
  readonly addedToolNames: readonly string[];
  /** Undefined for one that is not on disk: made up by the repair, or not saved. */
  readonly place: Place | undefined;
}

export interface Rename {
  readonly title: string;
  readonly isGenerated: boolean;
  /** First byte of its row. */
  readonly offset: number;
}

/** What a session says, after all rows up to some point. */
export class Contents {
  /** Latest snapshot of each extension. */
  readonly states = new Map<string, RawJson>();
  /** Deferred tools that were switched on. */
  readonly activated = new Set<string>();
  cumulative: Usage = NO_USAGE;
  rename: Rename | undefined;
  /** The beginning of the first prompt; it outlives a compaction, but not an emptying. */
  prompt = "";
  /** Latest context that zut wrote for the model alone. */
  internalContext: string | undefined;
  /** First byte of the last `compaction` row; nothing before it is part of the transcript. */
  eraOffset: number | undefined;
  readonly #entries: Entry[] = [];
  readonly #messages: Message[] = [];
  readonly #metas = new WeakMap<Message, MessageMeta>();

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  metaOf(message: Message): MessageMeta {
    return this.#metas.get(message) ?? {};
  }

  add(entry: Entry): void {
    const { message, meta, addedToolNames } = entry;
    this.#entries.push(entry);
    this.#messages.push(message);
    this.#metas.set(message, meta);
    for (const name of addedToolNames) this.activated.add(name);
    const isPrompt = this.prompt === "" && message.role === "user" && !("compaction" in meta);
    if (isPrompt) this.prompt = tidyTitle(textOf(message, " "));
  }

  /** Another transcript in place of this one. */
  replace(entries: readonly Entry[]): void {
    this.#entries.length = 0;
    this.#messages.length = 0;
    for (const entry of entries) this.add(entry);
  }

  /** No transcript at all, and none that was summarised: what comes now is another conversation. */
  clear(): void {
    this.replace([]);
    this.prompt = "";
  }
}
