import type { Note, Surface } from "../host/ports.ts";
import { plainText } from "./plain-text.ts";

/** The host's surface where there is no screen: notes become lines on stderr (extension-host.md §3.4). */
export class HeadlessSurface implements Surface {
  readonly interactive = false;
  readonly #line: (text: string) => void;

  /** @param line writes one line for a human, never to stdout */
  constructor(line: (text: string) => void) {
    this.#line = line;
  }

  note({ extension, level, message }: Note): void {
    for (const line of plainText(message).split("\n")) this.#line(`[${extension}] ${plainText(level)}: ${line}`);
  }

  /** What is on stderr stays there. */
  clearNotes(): void {
    return;
  }
}
