import { FifoPipe } from "./fifo-pipe.ts";
import { StreamPipe } from "./stream-pipe.ts";

/** Takes a chunk of output; reading goes on when it is done, which is what holds a flooding command back. */
export type TakeChunk = (chunk: Uint8Array) => Promise<void>;

/** Where stdout and stderr of one command go. Dispose it when the command is over. */
export interface OutputPipe extends AsyncDisposable {
  /** For the second and third place of `stdio`. */
  readonly target: number | "pipe";
  /** The file that whoever holds the output has open; null when it has no name. */
  readonly path: string | null;
  /**
   * Call once, right after the spawn. Resolves at the end of the output, or after `stop`; rejects when reading or
   * `take` fails.
   */
  drain(child: { readonly stdout: unknown; readonly stderr: unknown }, take: TakeChunk): Promise<void>;
  /** Ends `drain` although somebody still holds the other end. What had been written by now is still taken. */
  stop(): Promise<void>;
}

/**
 * One real pipe for both streams. The runtime's own are socket pairs, two of them: the order between stdout and
 * stderr is lost, and `echo text > /dev/stderr` fails because a socket cannot be opened by name. Where there is no
 * `mkfifo` (Windows, bare containers) those have to do.
 */
export async function openOutputPipe(mkfifo: string | null = Bun.which("mkfifo")): Promise<OutputPipe> {
  const fifo = mkfifo === null ? null : await FifoPipe.open(mkfifo);
  return fifo ?? new StreamPipe();
}
