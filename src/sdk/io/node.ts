import type { Channel } from "./channel.ts";

/** The streams of Node. */
export function nodeChannel(): Channel {
  const { stdin, stdout } = process;
  // The callback of each write reports the failure; without a listener the same failure would end the process first.
  stdout.on("error", () => undefined);
  return {
    async *read() {
      for await (const chunk of stdin) {
        const bytes: unknown = chunk;
        if (bytes instanceof Uint8Array) yield bytes;
      }
    },
    write: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
  };
}
