/**
 * The first `maxChars` UTF-16 units of `text`, never half a surrogate pair. A copy: a mere slice would keep all of
 * `text` in memory, and what is clipped came in frames of up to 4 MiB.
 */
export function head(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "");
  return Buffer.from(cut, "utf16le").toString("utf16le");
}

/** `text`, or its head and `…` when it is longer than `maxChars`. */
export function clip(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${head(text, maxChars)}…`;
}

/** The first `maxLines` lines, each clipped. */
export function clipLines(lines: readonly string[], maxLines: number, maxChars: number): string[] {
  return lines.slice(0, maxLines).map((line) => clip(line, maxChars));
}
