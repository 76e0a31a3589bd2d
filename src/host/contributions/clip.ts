/** The first `maxChars` UTF-16 units of `text`, never half a surrogate pair. */
export function head(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "");
}

/** `text`, or its head and `…` when it is longer than `maxChars`. */
export function clip(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${head(text, maxChars)}…`;
}

/** The first `maxLines` lines, each clipped. */
export function clipLines(lines: readonly string[], maxLines: number, maxChars: number): string[] {
  return lines.slice(0, maxLines).map((line) => clip(line, maxChars));
}
