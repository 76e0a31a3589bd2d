import { bunChannel } from "./bun.ts";
import { nodeChannel } from "./node.ts";

/** The two pipes between this process and the host. */
export interface Channel {
  /** Bytes from the host, until it closes its end. */
  read(): AsyncIterable<Uint8Array>;
  /** Resolves when the operating system has taken all of `text`; rejects when nobody reads any more. */
  write(text: string): Promise<void>;
}

/** The fast way in Bun, streams everywhere else. */
export function openChannel(): Channel {
  return typeof Bun === "undefined" ? nodeChannel() : bunChannel();
}
