import { setTimeout as sleep } from "node:timers/promises";
import { readLines } from "../../wire/framing.ts";
import {
  EOF_AFTER_EXIT_MS,
  OUTBOUND_FRAME_MAX_BYTES,
  OUTBOUND_QUEUE_MAX_BYTES,
  OUTBOUND_QUEUE_MAX_FRAMES,
  WRITE_STALL_MS,
} from "../../wire/limits.ts";
import type { ExtensionProcess } from "../launch/process.ts";
import { raceTimeout } from "../race.ts";

/** What became of a frame handed to `send`. */
export type Sent = "queued" | "too_long" | "closed";

/** A duplex of lines. Today a child's stdio; the rest of the host does not know that. */
export interface Transport {
  /** The lines that come in, until the other side is gone. Throws `FrameTooLongError`. May be read once. */
  lines(): AsyncGenerator<string, void, undefined>;
  /** Queues one encoded frame. `droppable` frames (events) give way when the queue is full. Never blocks or throws. */
  send(frame: string, droppable?: boolean): Sent;
  /** Lets the queue drain for at most `budgetMs`, then closes the sending side. */
  closeInput(budgetMs: number): Promise<void>;
  /** Called once when the sending side breaks; the reason is for humans. */
  onBroken: (reason: string) => void;
}

interface Queued {
  readonly bytes: Buffer;
  readonly droppable: boolean;
}

const BATCH_BYTES = 64 * 1024;
const EOF_POLL_MS = 25;

/**
 * The stdio of a child (extension-host.md §2.1). One ordered queue outward, bounded in frames and bytes: when it is
 * full the oldest events go first, and a child that lets a write stall for `WRITE_STALL_MS` is given up.
 */
export class StdioTransport implements Transport {
  onBroken: (reason: string) => void = () => undefined;
  readonly #process: ExtensionProcess;
  readonly #queue: Queued[] = [];
  #queuedBytes = 0;
  #draining: Promise<void> | undefined;
  #closed = false;

  constructor(process: ExtensionProcess) {
    this.#process = process;
  }

  lines(): AsyncGenerator<string, void, undefined> {
    return readLines(this.#chunks());
  }

  send(frame: string, droppable = false): Sent {
    if (this.#closed) return "closed";
    const bytes = Buffer.from(frame);
    if (bytes.length > OUTBOUND_FRAME_MAX_BYTES) return "too_long";
    while (this.#isFullWith(bytes.length)) {
      if (this.#dropOldestEvent()) continue;
      if (droppable) return "queued";
      this.#break(`stopped reading: ${this.#queue.length} frames wait for it`);
      return "closed";
    }
    this.#queue.push({ bytes, droppable });
    this.#queuedBytes += bytes.length;
    this.#draining ??= this.#drain();
    return "queued";
  }

  async closeInput(budgetMs: number): Promise<void> {
    if (this.#draining !== undefined) await raceTimeout(this.#draining, budgetMs);
    this.#closed = true;
    await this.#endInput();
  }

  #isFullWith(bytes: number): boolean {
    return this.#queue.length >= OUTBOUND_QUEUE_MAX_FRAMES || this.#queuedBytes + bytes > OUTBOUND_QUEUE_MAX_BYTES;
  }

  #dropOldestEvent(): boolean {
    const index = this.#queue.findIndex((queued) => queued.droppable);
    if (index === -1) return false;
    const [dropped] = this.#queue.splice(index, 1);
    this.#queuedBytes -= dropped?.bytes.length ?? 0;
    return true;
  }

  async #drain(): Promise<void> {
    // Frames sent in the same tick leave together.
    await Promise.resolve();
    while (this.#queue.length > 0 && !this.#closed) {
      const batch = this.#takeBatch();
      let fault: string | undefined;
      try {
        fault = await this.#write(batch);
      } catch (error) {
        fault = error instanceof Error && "code" in error ? `closed its stdin (${String(error.code)})` : String(error);
      }
      if (fault !== undefined) this.#break(fault);
    }
    this.#draining = undefined;
  }

  #takeBatch(): Buffer {
    const parts: Buffer[] = [];
    let size = 0;
    while (this.#queue[0] !== undefined && (size === 0 || size + this.#queue[0].bytes.length <= BATCH_BYTES)) {
      const { bytes } = this.#queue[0];
      this.#queue.shift();
      this.#queuedBytes -= bytes.length;
      parts.push(bytes);
      size += bytes.length;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts, size);
  }

  async #write(bytes: Buffer): Promise<string | undefined> {
    const written = this.#process.stdin.write(bytes);
    // A number: the kernel took it. A promise: its buffer is full and the child must read on.
    if (!(written instanceof Promise)) return undefined;
    const stalled = await raceTimeout(written, WRITE_STALL_MS);
    return stalled ? `did not read its stdin for ${WRITE_STALL_MS / 1000} s` : undefined;
  }

  #break(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.onBroken(reason);
  }

  async #endInput(): Promise<void> {
    try {
      await raceTimeout(Promise.resolve(this.#process.stdin.end()), EOF_AFTER_EXIT_MS);
    } catch {
      // EPIPE: the child is gone or closed its end first, which is what we wanted.
    }
  }

  /** The child's stdout. Ends soon after the child does, even when a grandchild still holds the pipe (bun.md §4). */
  async *#chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = this.#process.stdout.getReader();
    let waitingSince = performance.now();
    let waiting = false;
    let ended = false;
    const cutOff = async (): Promise<void> => {
      await this.#process.exited;
      // What is still in the pipe comes at once; only the silence of a stranger who holds it is cut off.
      while (!ended && !(waiting && performance.now() - waitingSince >= EOF_AFTER_EXIT_MS)) await sleep(EOF_POLL_MS);
      if (!ended) await reader.cancel();
    };
    const watch = cutOff();
    try {
      for (;;) {
        waitingSince = performance.now();
        waiting = true;
        const { done, value } = await reader.read();
        waiting = false;
        if (done) return;
        yield value;
      }
    } finally {
      ended = true;
      // A reader that stops early (frame over the limit) lets go of the pipe, so that the child is not left blocked.
      await reader.cancel();
      watch.catch(() => undefined);
    }
  }
}
