import { ChunkPump } from "./chunk-pump.ts";
import type { OutputPipe, TakeChunk } from "./output-pipe.ts";

/** The child's own stdout and stderr, read side by side: the order between the two is that of arrival. */
export class StreamPipe implements OutputPipe {
  readonly target = "pipe";
  readonly path = null;
  readonly #pumps: ChunkPump[] = [];
  #draining: Promise<unknown> | null = null;

  async drain(child: { readonly stdout: unknown; readonly stderr: unknown }, take: TakeChunk): Promise<void> {
    // One chunk at a time, as with a single pipe.
    let turn = Promise.resolve();
    const takeInTurn = (chunk: Uint8Array): Promise<void> => {
      turn = turn.then(() => take(chunk));
      return turn;
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream instanceof ReadableStream) this.#pumps.push(new ChunkPump(stream.getReader()));
    }
    this.#draining = Promise.all(this.#pumps.map((pump) => pump.run(takeInTurn)));
    await this.#draining;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#pumps.map((pump) => pump.stop()));
    await this.#draining;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#pumps.map((pump) => pump.cancel()));
  }
}
