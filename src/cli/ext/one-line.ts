import { plainText } from "../../surfaces/plain-text.ts";

/** Text of a stranger (a manifest, a file name, git) as one line that a terminal shows as it is. */
export function oneLine(text: string): string {
  return plainText(text)
    .replaceAll(/[\n\t]+/g, " ")
    .trim();
}
