import type { FileHandle } from "node:fs/promises";
import { BINARY_PROBE_BYTES } from "../limits.ts";
import { characterStart } from "../utf8.ts";

const CHUNK_BYTES = 64 * 1024;
const LF = 0x0a;

export interface LineWindow {
  /** 1-based number of the first line. */
  readonly firstLine: number;
  readonly maxLines: number;
  readonly maxBytes: number;
}

export type LineRange =
  /** `cut` names the bound that more text was left behind for. */
  | { readonly kind: "text"; readonly text: string; readonly cut: "lines" | "bytes" | null }
  | { readonly kind: "binary" }
  | { readonly kind: "beyond_end"; readonly lines: number };

/**
 * Reads a window of lines with their endings. Lines are found first and cut afterwards (extension-host.md §8.1
 * BUG-43), in chunks, so that the end of a huge file costs time but no memory. Throws the file system's errors and
 * the signal's reason.
 */
export async function readLineRange(file: FileHandle, window: LineWindow, signal: AbortSignal): Promise<LineRange> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let line = 1;
  let position = 0;
  let lastByte = LF;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    const bytes = chunk.subarray(0, bytesRead);
    if (position < BINARY_PROBE_BYTES && bytes.subarray(0, BINARY_PROBE_BYTES - position).includes(0)) {
      return { kind: "binary" };
    }
    position += bytesRead;
    lastByte = bytes[bytesRead - 1] ?? LF;

    let start = 0;
    while (line < window.firstLine && start < bytesRead) {
      const end = bytes.indexOf(LF, start);
      if (end === -1) break;
      start = end + 1;
      line++;
    }
    if (line < window.firstLine || start === bytesRead) continue;

    let end = start;
    while (line < window.firstLine + window.maxLines && end < bytesRead) {
      const newline = bytes.indexOf(LF, end);
      end = newline === -1 ? bytesRead : newline + 1;
      if (newline !== -1) line++;
    }
    kept.push(Buffer.from(bytes.subarray(start, end)));
    keptBytes += end - start;
    if (keptBytes > window.maxBytes) return cutRange(kept, window.maxBytes);
    if (end < bytesRead) return { kind: "text", text: decode(kept), cut: "lines" };
  }
  const lines = lastByte === LF ? line - 1 : line;
  // An empty file has an empty first line; only a later first line can be missing.
  if (kept.length === 0 && window.firstLine > 1) return { kind: "beyond_end", lines };
  return { kind: "text", text: decode(kept), cut: null };
}

function cutRange(kept: readonly Buffer[], maxBytes: number): LineRange {
  const all = Buffer.concat(kept);
  return { kind: "text", text: decode([all.subarray(0, characterStart(all, maxBytes))]), cut: "bytes" };
}

function decode(parts: readonly Buffer[]): string {
  return Buffer.concat(parts).toString("utf8");
}
