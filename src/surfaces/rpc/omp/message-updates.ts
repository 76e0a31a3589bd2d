import { encodeLine, escapeSeparators } from "../transport/encode-line.ts";
import type { AssistantDraft, DraftEvent } from "./draft.ts";

/** Below this many characters every delta goes out as it comes. */
const SMALL_CHARS = 8 * 1024;
/** A snapshot of a longer answer goes out once it has grown by this share, so that all of them together stay linear. */
const GROWTH = 1 / 32;
/** The same for a reader that is behind, for whom they would pile up. */
const GROWTH_BEHIND = 1 / 4;
/** The longest that a delta waits for more of its kind, in ms; a reader that is behind has enough to read. */
const WAIT_MS = 100;

/** Whether updates carry the whole message so far, or what is new alone. */
export type UpdateMode = "full" | "delta";

export interface UpdateSink {
  readonly mode: UpdateMode;
  /** The reader has not taken yet what was written before. */
  readonly isBehind: boolean;
  /** @param fields what `line` says */
  update(line: string, fields: () => Readonly<Record<string, unknown>>): void;
}

/**
 * The `message_update` frames of one answer. Each carries the whole answer so far, so that a long one would cost the
 * square of its length: deltas of a long answer are put together until they are worth a snapshot.
 */
export class MessageUpdates {
  readonly draft: AssistantDraft;
  readonly #messageId: string;
  readonly #sink: UpdateSink;
  #kind: "text" | "thinking" = "text";
  #pending = "";
  #timer: NodeJS.Timeout | undefined;

  constructor(draft: AssistantDraft, messageId: string, sink: UpdateSink) {
    this.draft = draft;
    this.#messageId = messageId;
    this.#sink = sink;
  }

  write(kind: "text" | "thinking", delta: string): void {
    if (kind !== this.#kind) this.flush();
    this.#kind = kind;
    this.#pending += delta;
    if (this.#pending.length >= this.#worthwhile()) this.flush();
    else this.#timer ??= setTimeout(() => this.#waited(), WAIT_MS);
  }

  /** Sends what waits, then these. */
  send(events: readonly DraftEvent[]): void {
    this.flush();
    for (const event of events) this.#emit(event);
  }

  /** Sends what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const delta = this.#pending;
    if (delta === "") return;
    this.#pending = "";
    for (const event of this.draft.write(this.#kind, delta)) this.#emit(event);
  }

  /** Nothing more comes, and nothing of what waits. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending = "";
  }

  #waited(): void {
    this.#timer = undefined;
    if (!this.#sink.isBehind) this.flush();
    else if (this.#pending !== "") this.#timer = setTimeout(() => this.#waited(), WAIT_MS);
  }

  /** Characters that must wait before they go out. */
  #worthwhile(): number {
    const { mode, isBehind } = this.#sink;
    const { size } = this.draft;
    if (mode === "delta") return isBehind ? SMALL_CHARS : 0;
    if (isBehind) return Math.max(SMALL_CHARS, size * GROWTH_BEHIND);
    return size < SMALL_CHARS ? 0 : size * GROWTH;
  }

  #emit(event: DraftEvent): void {
    const messageId = this.#messageId;
    if (this.#sink.mode === "delta") {
      const fields = { assistantMessageEvent: event, message: { role: "assistant" }, messageId };
      this.#sink.update(encodeLine("message_update", fields), () => fields);
      return;
    }
    const snapshot = this.draft.json();
    const step = JSON.stringify(event).slice(0, -1);
    const line = `{"type":"message_update","assistantMessageEvent":${step},"partial":${snapshot}},"message":${snapshot},"messageId":"${messageId}"}\n`;
    this.#sink.update(escapeSeparators(line), () => {
      const message = this.draft.message();
      return { assistantMessageEvent: { ...event, partial: message }, message, messageId };
    });
  }
}
