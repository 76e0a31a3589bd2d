/** The byte offset at or before `offset` at which a UTF-8 sequence starts, so that a cut there splits no character. */
export function characterStart(bytes: Uint8Array, offset: number): number {
  let start = offset;
  while (start > 0 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}

/** The longest prefix of `text` that takes at most `maxBytes` UTF-8 bytes and ends between two characters. */
export function clipUtf8(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at least one byte, so longer prefixes need not be encoded at all.
  const candidate = text.slice(0, maxBytes + 1);
  const bytes = Buffer.from(candidate, "utf8");
  if (bytes.length <= maxBytes) return text;
  return bytes.toString("utf8", 0, characterStart(bytes, maxBytes));
}

/** The longest suffix of `text` that takes at most `maxBytes` UTF-8 bytes and starts between two characters. */
export function clipUtf8Start(text: string, maxBytes: number): string {
  const candidate = text.slice(Math.max(0, text.length - maxBytes - 1));
  const bytes = Buffer.from(candidate, "utf8");
  if (bytes.length <= maxBytes) return text;
  let start = bytes.length - maxBytes;
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}

/** `text` in at most `maxBytes` bytes; when it had to be cut, the last row is `marker`, within the same bound. */
export function clipWithMarker(text: string, maxBytes: number, marker: string): string {
  if (Buffer.byteLength(text, "utf8") <= maxBytes) return text;
  const tail = `\n${marker}`;
  return clipUtf8(text, maxBytes - Buffer.byteLength(tail, "utf8")).replace(/\n$/, "") + tail;
}
