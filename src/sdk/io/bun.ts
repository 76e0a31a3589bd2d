import type { Channel } from "./channel.ts";

/** Bun's own pipes: touching process.stdin or process.stdout would load the stream stack, 3 ms of every start. */
export function bunChannel(): Channel {
  const writer = Bun.stdout.writer();
  return {
    read: () => Bun.stdin.stream(),
    async write(text) {
      // Both give a promise while the pipe is full. A closed pipe makes them throw EPIPE.
      await writer.write(text);
      await writer.flush();
    },
  };
}
