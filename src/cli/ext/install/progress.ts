import { isatty } from "node:tty";
import { oneLine } from "../one-line.ts";

/** How often the line changes, in ms: terminals over slow links exist. */
const INTERVAL_MS = 100;
/** Cells; a line that wraps could not be taken back. */
const MAX_CELLS = 78;

/** One line on stderr that says what is going on, and goes away; nothing when stderr is no terminal. */
export class ProgressLine implements Disposable {
  readonly isShown = isatty(2);
  #shownAt = 0;

  show(text: string): void {
    const now = performance.now();
    if (!this.isShown || now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    process.stderr.write(`\r\u001b[K${Bun.sliceAnsi(oneLine(text), 0, MAX_CELLS)}`);
  }

  [Symbol.dispose](): void {
    if (this.#shownAt > 0) process.stderr.write("\r\u001b[K");
  }
}
