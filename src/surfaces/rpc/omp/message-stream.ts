import type { EventGate } from "./event-gate.ts";
import type { OmpMessage, OmpStop } from "./message.ts";

/** The messages of a run as they begin and end, and the list of them that ends it (rpc-wire.md §4). */
export class MessageStream {
  readonly #gate: EventGate;
  #ids = 0;
  #run: OmpMessage[] = [];
  /** How many of the first messages of the run the client has already, exactly as they are. */
  #delivered = 0;

  constructor(gate: EventGate) {
    this.#gate = gate;
  }

  /** How the newest answer of the run ended. */
  get lastStop(): OmpStop | undefined {
    return this.#run.findLast((message) => message.role === "assistant")?.stopReason;
  }

  /** Begins a message that grows; the result is its id. */
  start(message: OmpMessage): string {
    this.#ids += 1;
    const messageId = `msg-${this.#ids}`;
    this.#gate.emit("message_start", { message, messageId });
    return messageId;
  }

  end(message: OmpMessage, messageId: string): void {
    const written = this.#gate.emit("message_end", { message, messageId });
    if (written === "whole" && this.#delivered === this.#run.length) this.#delivered += 1;
    this.#run.push(message);
  }

  /** A message that is there at once. */
  whole(message: OmpMessage): void {
    this.end(message, this.start(message));
  }

  /** What `agent_end` says: all messages of the run, or what the client lacks when that is too much (§1.5). */
  runFields(): Readonly<Record<string, unknown>> {
    const ends = { isTerminal: true, yielded: true };
    const all = { messages: this.#run, ...ends };
    if (this.#delivered === 0 || this.#gate.canSend("agent_end", all)) return all;
    return { messages: this.#run.slice(this.#delivered), messageCount: this.#run.length, ...ends };
  }

  /** The run is over. Ids go on. */
  forget(): void {
    this.#run = [];
    this.#delivered = 0;
  }
}
