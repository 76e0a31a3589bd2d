import { safeText } from "../text/safe-text.ts";

/**
 * What a terminal would not show, or would take as a command: controls, bidi overrides, tags, fillers. Joiners and variation
 * selectors stay, since emoji and scripts need them.
 */
const HIDDEN = /[[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]--[\n\t\u200c\u200d\ufe00-\ufe0f]]/gv;

/**
 * Text of a stranger that somebody has to judge: nothing is taken out of it, as `safeText` does, but what cannot be seen is written
 * as `\u…`. Safe text without styles.
 */
export function revealedText(text: string): string {
  return safeText(text.replaceAll("\r\n", "\n").replace(HIDDEN, escaped), "strip");
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
}
