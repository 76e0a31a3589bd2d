/**
 * Prints `text` and a line feed on stderr, as it is. `console.error` would add red of its own on every terminal, and even
 * under NO_COLOR when FORCE_COLOR is set (Bun 1.4.5); `console.warn` adds nothing.
 */
export function printToStderr(text: string): void {
  console.warn(text);
}
