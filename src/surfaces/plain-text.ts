/** C0 but for line feed and tab, DEL, and C1: nothing that could move a cursor or start a sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Text of a stranger as plain text for a terminal: escape sequences and control characters are gone, line feeds and
 * tabs stay (architecture.md rule 7).
 */
export function plainText(text: string): string {
  return Bun.stripANSI(text.toWellFormed()).replaceAll("\r\n", "\n").replace(CONTROLS, "");
}
