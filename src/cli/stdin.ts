import { isatty } from "node:tty";
import { CliError } from "./error.ts";

/** How long an open, silent pipe may hold back a prompt that was given as an argument (cli.md). */
const SILENT_PIPE_MS = 300;
const STDIN_MAX_BYTES = 16 * 1024 * 1024;

/**
 * The text on stdin; undefined when stdin is a terminal, closed, or (with `optional`) says nothing for 300 ms.
 * Once something has come it is read to its end.
 */
export async function readStdin(optional: boolean): Promise<string | undefined> {
  if (isatty(0)) return undefined;
  const reader = openReader();
  if (reader === undefined) return undefined;
  const timer = optional ? setTimeout(() => void reader.cancel(), SILENT_PIPE_MS) : undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) break;
      chunks.push(value);
      size += value.length;
      if (size > STDIN_MAX_BYTES)
        throw new CliError("usage", `the prompt on stdin is larger than ${STDIN_MAX_BYTES} bytes`);
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    // EBADF: whoever started us gave no stdin to read.
    return undefined;
  }
  return chunks.length === 0 ? undefined : new TextDecoder().decode(Buffer.concat(chunks, size));
}

function openReader(): ReadableStreamDefaultReader<Uint8Array> | undefined {
  try {
    return Bun.stdin.stream().getReader();
  } catch {
    // EISDIR: a folder is no text, and whoever gave one gave no stdin to read.
    return undefined;
  }
}
