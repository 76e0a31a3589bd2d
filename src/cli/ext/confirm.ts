import { createInterface } from "node:readline";
import { isatty } from "node:tty";
import { oneLine } from "./one-line.ts";

/** Whether somebody is there to ask: both the question and the answer need a terminal. */
export function canAsk(): boolean {
  return isatty(0) && isatty(2);
}

/**
 * Asks `question` on stderr; true only for an answer that begins with y. The end of input is a no. A human is being
 * asked, so there is no deadline; Ctrl+C ends the process as it would anywhere.
 */
export async function confirm(question: string): Promise<boolean> {
  // No line editing of its own: that would put the terminal into raw mode, where Ctrl+C is just a key.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  try {
    const answer = Promise.withResolvers<string>();
    lines.once("close", () => answer.resolve(""));
    lines.question(`${oneLine(question)} [y/N] `, answer.resolve);
    return /^y(es)?$/i.test((await answer.promise).trim());
  } finally {
    lines.close();
  }
}
