import { isatty } from "node:tty";

/** Whether a stream (1: stdout, 2: stderr) shows colours: a terminal does, NO_COLOR and FORCE_COLOR have the last word. */
export function usesColour(stream: 1 | 2): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0";
  // `process.stderr` would load the stream stack, 10 ms for one question (bun.md §2).
  return isatty(stream);
}
