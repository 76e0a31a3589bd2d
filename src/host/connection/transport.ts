import { setTimeout as sleep } from "node:timers/promises";
import {
  EOF_AFTER_EXIT_MAX_MS,
  EOF_AFTER_EXIT_MS,
  OUTBOUND_FRAME_MAX_BYTES,
  OUTBOUND_QUEUE_MAX_BYTES,
  OUTBOUND_QUEUE_MAX_FRAMES,
  WRITE_STALL_MS,
} from "../../wire/limits.ts";
import { LineReader } from "../../wire/line-reader.ts";
import { errorCode } from "../error.ts";
import type { ExtensionProcess } from "../launch/process.ts";
import { raceTimeout } from "../race.ts";

/** What became of a frame handed to `send`. */
export type Sent = "queued" | "too_long" | "closed";

/** A duplex of lines. Today a child's stdio; the rest of the host does not know that. */
export interface Transport {
  /** The lines that come in, until the other side is gone. Throws `FrameTooLongError`. May be read once. */
  lines(): LineReader;
  /** Queues one encoded frame. `droppable` frames (events) give way when the queue is full. Never blocks or throws. */
  send(frame: string, droppable?: boolean): Sent;
  /** Lets the queue drain for at most `budgetMs`, then closes the sending side. */
  closeInput(budgetMs: number): Promise<void>;
  /** Called once when the sending side breaks. */
  onBroken: (fault: LinkFault) => void;
}

/** Why nothing more can be sent. */
export interface LinkFault {
  /** For humans. */
  readonly reason: string;
  /** The other side is dead or has shut its ear, but what it said before may still be on its way. */
  readonly mayHaveSpoken: boolean;
}

interface Queued {
  readonly frame: string;
  readonly bytes: number;
  readonly droppable: boolean;
}

const BATCH_BYTES = 64 * 1024;
const EOF_POLL_MS = 25;

/**
 * The stdio of a child (extension-host.md §2.1). One ordered queue outward, bounded in frames and bytes: when it is
 * full the oldest events go first, and a child that lets a write stall for `WRITE_STALL_MS` is given up.
 */
export class StdioTransport implements Transport {
  onBroken: (fault: LinkFault) => void = () => undefined;
  readonly #process: ExtensionProcess;
  readonly #queue: Queued[] = [];
  #queuedBytes = 0;
  #draining: Promise<void> | undefined;
  /** A write that the kernel has not taken whole; never rejects. */
  #inFlight: Promise<LinkFault | undefined> | undefined;
  #closed = false;

  constructor(process: ExtensionProcess) {
    this.#process = process;
  }

  lines(): LineReader {
    return new LineReader(this.#chunks());
  }

  send(frame: string, droppable = false): Sent {
    if (this.#closed) return "closed";
    const bytes = Buffer.byteLength(frame);
    if (bytes > OUTBOUND_FRAME_MAX_BYTES) return "too_long";
    while (this.#isFullWith(bytes)) {
      // Only a child that does not take what was written is behind; a burst of ours alone costs nobody anything.
      if (this.#inFlight === undefined) {
        this.#writeBatch();
        if (this.#closed) return "closed";
        continue;
      }
      if (this.#dropOldestEvent()) continue;
      if (droppable) return "queued";
      this.#break({ reason: `stopped reading: ${this.#queue.length} frames wait for it`, mayHaveSpoken: false });
      return "closed";
    }
    this.#queue.push({ frame, bytes, droppable });
    this.#queuedBytes += bytes;
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
    this.#queuedBytes -= dropped?.bytes ?? 0;
    return true;
  }

  async #drain(): Promise<void> {
    // Frames sent in the same tick leave together.
    await Promise.resolve();
    while (!this.#closed && (this.#queue.length > 0 || this.#inFlight !== undefined)) {
      if (this.#inFlight === undefined) this.#writeBatch();
      else await this.#settle(this.#inFlight);
    }
    this.#draining = undefined;
  }

  #writeBatch(): void {
    const { stdin } = this.#process;
    try {
      const written = stdin.write(this.#takeBatch());
      // A number: the kernel took it. A promise: its buffer is full and the child must read on. Anything else is
      // Bun's word for a pipe whose other end is gone, whatever its types say (bun.md §4).
      if (typeof written !== "number" && !(written instanceof Promise)) this.#break(SHUT);
      else if (written instanceof Promise) this.#inFlight = faultOf(written);
      else {
        // Without a flush a shut ear would show with the next write only, which may never come.
        const flushed = stdin.flush();
        if (flushed instanceof Promise) this.#inFlight = faultOf(flushed);
      }
    } catch (error) {
      this.#break(writeFault(error));
    }
  }

  async #settle(written: Promise<LinkFault | undefined>): Promise<void> {
    const stalled = await raceTimeout(written, WRITE_STALL_MS);
    const fault = stalled
      ? { reason: `did not read its stdin for ${WRITE_STALL_MS / 1000} s`, mayHaveSpoken: false }
      : await written;
    if (fault !== undefined) this.#break(fault);
    this.#inFlight = undefined;
  }

  #takeBatch(): string {
    let batch = "";
    let size = 0;
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      if (size > 0 && size + next.bytes > BATCH_BYTES) break;
      this.#queue.shift();
      this.#queuedBytes -= next.bytes;
      batch += next.frame;
      size += next.bytes;
    }
    return batch;
  }

  #break(fault: LinkFault): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.onBroken(fault);
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
      // What is still in the pipe comes at once. A stranger who holds it is cut off when he falls silent, and after a
      // while also when he never does. Counted in polls, so that a stall of ours costs the child none of its words.
      for (let polls = EOF_AFTER_EXIT_MAX_MS / EOF_POLL_MS; polls > 0 && !ended; polls -= 1) {
        if (waiting && performance.now() - waitingSince >= EOF_AFTER_EXIT_MS) break;
        await sleep(EOF_POLL_MS);
      }
      if (!ended) await reader.cancel();
    };
    // A pipe that cannot be cancelled has failed, which the read beside this says better.
    cutOff().catch(() => undefined);
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
    }
  }
}

const SHUT: LinkFault = { reason: "closed its stdin", mayHaveSpoken: true };

/** Never rejects, so that nobody has to wait for it. */
function faultOf(written: Promise<unknown>): Promise<LinkFault | undefined> {
  return written.then(() => undefined, writeFault);
}

function writeFault(error: unknown): LinkFault {
  const code = errorCode(error);
  if (code === "EPIPE" || code === "ECONNRESET") return SHUT;
  return { reason: `cannot be written to: ${String(error)}`, mayHaveSpoken: true };
}
