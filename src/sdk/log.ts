/**
 * One line of the SDK's own in the extension's log. stderr is that log (extension-host.md §1.7); console.error is the
 * cheap way to it, process.stderr loads the whole stream stack in Bun.
 */
export function logLine(text: string, error?: unknown): void {
  if (error === undefined) console.error(`[zot/ext] ${text}`);
  else console.error(`[zot/ext] ${text}:`, error);
}
