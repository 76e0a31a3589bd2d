import type {
  AssistantMessage,
  Message,
  ToolMessage,
  ToolResultBlock,
  Usage,
  UserMessage,
} from "../../llm/messages.ts";
import type { SessionContext } from "../../wire/frames.ts";
import { SESSION_TAIL_BYTES } from "../../wire/limits.ts";
import type { RawJson } from "../../wire/raw-json.ts";
import { addUsage } from "../events.ts";
import { type Compaction, compacted } from "./compaction.ts";
import { Contents, placeAt } from "./contents.ts";
import { type Fork, makeFork } from "./fork.ts";
import type { SessionLock } from "./lock.ts";
import { encodeMessage, type MessageExtras, type MessageMeta } from "./message-codec.ts";
import type { SessionMeta } from "./meta.ts";
import { compactionRow, messageRow, metaRow, renameRow, stateRow, usageRow } from "./row.ts";
import type { Snapshot } from "./snapshot.ts";
import { isStorable } from "./state.ts";
import { tidyTitle } from "./title.ts";
import { SessionWriter, type Surroundings } from "./writer.ts";

/** How a session came to be open; only a fork that was made now is told to extensions as one (§9.3 BUG-34). */
export type SessionOrigin = "new" | "resumed" | "forked";

export interface SessionParts {
  readonly path: string;
  readonly meta: SessionMeta;
  readonly origin: SessionOrigin;
  /** The file as it was read; undefined when there is none yet. */
  readonly snapshot?: Snapshot;
  readonly lock?: SessionLock | "impossible";
  /** What a session begins with that is not on disk. */
  readonly unsaved?: Contents;
}

/**
 * One conversation and its file (extension-host.md §6). Everything said is in memory and, row by row, on disk; when the
 * disk fails, the user is warned once and the conversation goes on in memory. Nothing here throws into a turn.
 */
export class Session implements Disposable, AsyncDisposable {
  readonly origin: SessionOrigin;
  readonly #surroundings: Surroundings;
  readonly #contents: Contents;
  readonly #writer: SessionWriter;
  #meta: SessionMeta;
  /** The file has no `meta` row that could be read. */
  #lacksMeta: boolean;

  constructor(parts: SessionParts, surroundings: Surroundings) {
    const { snapshot, unsaved } = parts;
    this.origin = parts.origin;
    this.#surroundings = surroundings;
    this.#meta = parts.meta;
    this.#lacksMeta = snapshot !== undefined && snapshot.end > 0 && snapshot.meta === undefined;
    this.#contents = snapshot?.contents ?? new Contents();
    this.#writer = new SessionWriter({
      path: parts.path,
      size: snapshot?.end,
      lock: parts.lock,
      surroundings,
      header: () => metaRow(this.#meta),
    });
    if (unsaved !== undefined) this.#takeOver(unsaved);
  }

  static fromFork(fork: Fork, surroundings: Surroundings): Session {
    return new Session({ ...fork, origin: "forked" }, surroundings);
  }

  get id(): string {
    return this.#meta.id;
  }

  /** Absolute. There may be no file yet: it is made with the first row. */
  get path(): string {
    return this.#writer.path;
  }

  get meta(): SessionMeta {
    return this.#meta;
  }

  /** False once a row could not be saved. */
  get isSaved(): boolean {
    return this.#writer.isSaving;
  }

  /** Given by the user or a model, else the beginning of the first prompt; "" when there is neither. */
  get title(): string {
    return tidyTitle(this.#contents.rename?.title ?? this.#meta.title ?? "") || this.#contents.prompt;
  }

  /** The transcript, every call paired with a result (§6.4). */
  get messages(): readonly Message[] {
    return this.#contents.messages;
  }

  /** Latest snapshot of each extension, by manifest name. */
  get states(): ReadonlyMap<string, RawJson> {
    return this.#contents.states;
  }

  /** Deferred tools that were switched on (§4.2). */
  get activatedTools(): ReadonlySet<string> {
    return this.#contents.activated;
  }

  get cumulative(): Usage {
    return this.#contents.cumulative;
  }

  /** Context that zut stored for the model alone; never shown. */
  get internalContext(): string | undefined {
    return this.#contents.internalContext;
  }

  /** What the row of a message of this session says besides it: `compaction`, `tokens_before` … */
  metaOf(message: Message): MessageMeta {
    return this.#contents.metaOf(message);
  }

  /** The text that a human may see in place of the message's own; "" when nothing of it may be shown. */
  displayText(message: Message): string | undefined {
    return this.metaOf(message)["display_text"];
  }

  /** False: it says nothing, and so is no part of the transcript. */
  appendUser(message: UserMessage): boolean {
    return this.#append(message);
  }

  /**
   * `displayText`: what an extension made of its text. `isPartial`: it was cut short; with a call in it it is dropped
   * (§6.4). False when the message is no part of the transcript.
   */
  appendAssistant(message: AssistantMessage, options: { displayText?: string; isPartial?: boolean } = {}): boolean {
    const { displayText, isPartial = false } = options;
    if (isPartial && message.content.some((block) => block.type === "tool_call")) return false;
    return this.#append(message, displayText === undefined ? {} : { meta: { display_text: displayText } });
  }

  /** All results of the last assistant message. `activated`: deferred tools that they switched on. */
  appendResults(
    content: readonly ToolResultBlock[],
    options: { activated?: Iterable<string>; time?: number } = {},
  ): boolean {
    const { activated = [], time = Date.now() } = options;
    const addedToolNames = [...new Set(activated)];
    const message: ToolMessage = { role: "tool", content, time };
    return this.#append(message, { addedToolNames });
  }

  /** Adds the usage of one request to the total and returns it. */
  appendUsage(usage: Usage): Usage {
    this.#contents.cumulative = addUsage(this.#contents.cumulative, usage);
    this.#write(usageRow(usage, this.#contents.cumulative));
    return this.#contents.cumulative;
  }

  /** `null` clears. False: too large (§6.3) or nested too deeply, and the old one stays. */
  setState(extension: string, state: RawJson | null): boolean {
    const { states } = this.#contents;
    if (state === null || state.text === "null") {
      if (states.delete(extension)) this.#write(stateRow(extension, null));
      return true;
    }
    if (extension === "" || !isStorable(state)) return false;
    if (states.get(extension)?.text === state.text) return true;
    states.set(extension, state);
    this.#write(stateRow(extension, state));
    return true;
  }

  /** `isGenerated`: a model wrote it. A title of nothing but blanks is ignored. */
  rename(title: string, isGenerated = false): void {
    const tidied = tidyTitle(title, isGenerated);
    if (tidied === "") return;
    if (this.#writer.exists) {
      const offset = this.#write(renameRow(tidied, isGenerated)) ?? 0;
      this.#contents.rename = { title: tidied, isGenerated, offset };
    } else {
      // No file for a name alone: it goes into the first row, should there ever be one.
      this.#meta = { ...this.#meta, title: tidied };
    }
  }

  switchModel(provider: string, model: string): void {
    if (provider === this.#meta.provider && model === this.#meta.model) return;
    this.#meta = { ...this.#meta, provider, model };
    if (this.#writer.exists) this.#write(metaRow(this.#meta));
  }

  /** Replaces the transcript by a summary and its last messages (§8.5). False: the summary says nothing. */
  compact(compaction: Compaction): boolean {
    const contents = this.#contents;
    const entries = compacted(contents, compaction);
    const texts = entries.map((entry) => encodeMessage(entry.message, entry));
    const written = texts.filter((text) => text !== undefined);
    if (written.length < texts.length) return false;
    const offset = this.#write(compactionRow(written, contents.cumulative));
    contents.eraOffset = offset;
    contents.replace(entries.map((entry, element) => ({ ...entry, place: placeAt(offset, element) })));
    return true;
  }

  /** Empties the transcript; what extensions keep, usage and title stay. */
  clear(): void {
    if (this.messages.length === 0) return;
    this.#contents.eraOffset = this.#write(compactionRow([], this.#contents.cumulative));
    this.#contents.clear();
  }

  /** A new session with the first `at` messages; all of them when not given. This one stays open. Never rejects. */
  async fork(at = this.messages.length): Promise<Session> {
    const { exists, isSaving, path, end } = this.#writer;
    const file = exists && isSaving ? { path, end } : undefined;
    const fork = await makeFork({ meta: this.#meta, contents: this.#contents, file }, at, this.#surroundings);
    return Session.fromFork(fork, this.#surroundings);
  }

  /** What extensions are told about it (§6.1). */
  context(): SessionContext {
    const { id, parent, forkPoint, cwd } = this.#meta;
    return {
      id,
      ...(parent === undefined ? {} : { parent_id: parent }),
      ...(this.isSaved ? { path: this.path } : {}),
      ...(cwd === "" ? {} : { cwd }),
      ...(forkPoint === undefined ? {} : { fork_point: forkPoint }),
    };
  }

  /** Gives the file free. What is appended later stays in memory. */
  close(): void {
    const { entries, states, eraOffset, rename } = this.#contents;
    const isEmpty = entries.length === 0 && states.size === 0 && eraOffset === undefined;
    // A listing reads only the end of a long file: the title has to be found there.
    const isBuried = rename !== undefined && this.#writer.end - rename.offset > SESSION_TAIL_BYTES;
    if (isBuried && this.#writer.hasWritten) this.#write(renameRow(rename.title, rename.isGenerated));
    this.#writer.close(isEmpty);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #append(message: Message, extras: MessageExtras = {}): boolean {
    const text = encodeMessage(message, extras);
    if (text === undefined) return false;
    const offset = this.#write(messageRow(text));
    const { meta = {}, addedToolNames = [] } = extras;
    this.#contents.add({ message, meta, addedToolNames, place: placeAt(offset) });
    return true;
  }

  #write(row: string): number | undefined {
    if (this.#lacksMeta) {
      this.#lacksMeta = false;
      this.#writer.write(metaRow(this.#meta));
    }
    return this.#writer.write(row);
  }

  /** Saves what a session without a file begins with. */
  #takeOver(unsaved: Contents): void {
    for (const { message, meta, addedToolNames } of unsaved.entries) this.#append(message, { meta, addedToolNames });
    for (const [extension, state] of unsaved.states) this.setState(extension, state);
    for (const name of unsaved.activated) this.#contents.activated.add(name);
    this.#contents.internalContext = unsaved.internalContext;
    this.#contents.cumulative = unsaved.cumulative;
    if (unsaved.entries.length > 0) this.#write(usageRow(unsaved.cumulative, unsaved.cumulative));
  }
}
