import type { FrameWriter, Written } from "./frame-writer.ts";
import type { UpdateMode, UpdateSink } from "./message-updates.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The events of a session on their way out, as far as the client wants them (`set_event_filter`). */
export class EventGate implements UpdateSink {
  /** What the client wants to see; null: everything. */
  filter: readonly string[] | null = null;
  mode: UpdateMode = "full";
  readonly #writer: FrameWriter;
  readonly #isBehind: () => boolean;

  constructor(writer: FrameWriter, isBehind: () => boolean) {
    this.#writer = writer;
    this.#isBehind = isBehind;
  }

  get isBehind(): boolean {
    return this.#isBehind();
  }

  emit(type: string, fields: Fields = {}): Written | "filtered" {
    return this.#allows(type) ? this.#writer.event(type, fields) : "filtered";
  }

  update(line: string, fields: () => Fields): void {
    if (this.#allows("message_update")) this.#writer.encodedEvent("message_update", line, fields);
  }

  /** Whether an event of these fields could travel without being cut. */
  canSend(type: string, fields: Fields): boolean {
    return this.#writer.canSend(type, fields);
  }

  #allows(type: string): boolean {
    return this.filter === null || this.filter.includes(type);
  }
}
