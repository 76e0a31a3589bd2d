import type { Channel } from "./io/channel.ts";
import { OUTBOUND_QUEUE_MAX_CHARS, WRITE_BATCH_MAX_CHARS } from "./limits.ts";
import { logLine } from "./log.ts";

/** What becomes of a frame when the host does not read and the queue is full. */
export type Overflow = "drop" | "keep";

/** The frames that wait for the pipe, in order. */
export class Outbound {
  readonly #channel: Channel;
  readonly #onBroken: () => void;
  readonly #queue: string[] = [];
  #chars = 0;
  #pumping: Promise<void> | undefined;
  #broken = false;
  #dropping = false;

  /** @param onBroken called once, when the host stopped reading for good */
  constructor(channel: Channel, onBroken: () => void) {
    this.#channel = channel;
    this.#onBroken = onBroken;
  }

  /**
   * Queues one line and returns at once. With `keep` the queue may grow past its bound: answers are bounded by what the
   * host asks, and a lost one would leave it waiting.
   */
  send(text: string, overflow: Overflow): void {
    if (this.#broken || this.#isFull(overflow)) return;
    this.#queue.push(text);
    this.#chars += text.length;
    this.#pumping ??= this.#pump();
  }

  /** Resolves when everything queued so far and meanwhile has left the process, or can no longer leave it. */
  async flushed(): Promise<void> {
    while (this.#pumping !== undefined) await this.#pumping;
  }

  #isFull(overflow: Overflow): boolean {
    if (overflow === "keep") return false;
    const full = this.#chars > OUTBOUND_QUEUE_MAX_CHARS;
    // One line for each time it happens, not for each frame: this is the case of many frames.
    if (full && !this.#dropping) logLine("the host does not read; dropping notes, panels and the like until it does");
    this.#dropping = full;
    return full;
  }

  async #pump(): Promise<void> {
    try {
      while (this.#queue.length > 0) await this.#channel.write(this.#batch());
    } catch (error) {
      this.#broken = true;
      this.#queue.length = 0;
      this.#chars = 0;
      logLine("the host closed our stdout", error);
      this.#onBroken();
    } finally {
      this.#pumping = undefined;
    }
  }

  /** Takes as many lines as fit into one write, at least one. */
  #batch(): string {
    let chars = 0;
    let count = 0;
    for (const line of this.#queue) {
      if (count > 0 && chars + line.length > WRITE_BATCH_MAX_CHARS) break;
      chars += line.length;
      count += 1;
    }
    this.#chars -= chars;
    return this.#queue.splice(0, count).join("");
  }
}
