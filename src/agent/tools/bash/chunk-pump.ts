import type { TakeChunk } from "./output-pipe.ts";

/** How long nothing must arrive while a read waits, for the source to count as empty, in ms. */
const QUIET_MS = 5;
/** What may lie in a pipe and in the runtime's own buffer when we stop; more than that has been written since. */
const MAX_REST_BYTES = 512 * 1024;

/** What a pump needs of a stream reader. */
export interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Moves the chunks of one stream to whoever takes them, one at a time. */
export class ChunkPump {
  readonly #reader: ChunkReader;
  #started = 0;
  #taken = 0;
  #rest = Number.POSITIVE_INFINITY;
  #ended = false;

  constructor(reader: ChunkReader) {
    this.#reader = reader;
  }

  /** Resolves at the end of the stream or after `stop`; rejects when reading or `take` fails. */
  async run(take: TakeChunk): Promise<void> {
    try {
      while (this.#rest > 0) {
        const { done, value } = await this.#reader.read();
        if (done || value === undefined) return;
        this.#started++;
        await take(value);
        this.#taken++;
        this.#rest -= value.length;
      }
    } finally {
      this.#ended = true;
    }
  }

  /**
   * Ends `run`. The runtime reads ahead while a chunk is being taken, and a cancel throws that away; so the reading
   * goes on until nothing more comes, or too much. True when the stream was still open and had run dry.
   */
  async stop(): Promise<boolean> {
    this.#rest = MAX_REST_BYTES;
    while (!this.#ended) {
      const taken = this.#taken;
      await Bun.sleep(QUIET_MS);
      if (taken === this.#started) break;
    }
    const dry = !this.#ended;
    await this.cancel();
    return dry;
  }

  /** Ends `run` at once, whatever has been read ahead. */
  async cancel(): Promise<void> {
    this.#ended = true;
    await this.#reader.cancel();
  }
}
