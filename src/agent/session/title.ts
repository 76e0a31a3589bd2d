import { SESSION_GENERATED_TITLE_MAX_CHARS, SESSION_TITLE_MAX_CHARS } from "../../wire/limits.ts";

/**
 * A title on one line, without control characters, cut between characters; "" when nothing is left of it. `isGenerated`:
 * a model wrote it, and it may be less long (extension-host.md §6.3).
 */
export function tidyTitle(title: string, isGenerated = false): string {
  const maxChars = isGenerated ? SESSION_GENERATED_TITLE_MAX_CHARS : SESSION_TITLE_MAX_CHARS;
  // Cut generously first: the text may be a pasted file, and only its beginning can matter.
  const line = title
    .slice(0, maxChars * 16)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return [...line].slice(0, maxChars).join("").trim();
}
