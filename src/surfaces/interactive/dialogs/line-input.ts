import { Input } from "@earendil-works/pi-tui/dist/components/input.js";
import { decodePrintableKey } from "@earendil-works/pi-tui/dist/keys.js";
import { safeLine } from "../text/safe-text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of a paste are made of them
const PASTE = /^\u001b\[200~([\s\S]*)\u001b\[201~$/;

/** A line to type in. What is pasted becomes safe text, and keys are understood however the terminal tells them. */
export class LineInput extends Input {
  override handleInput(data: string): void {
    const pasted = PASTE.exec(data)?.[1];
    super.handleInput(pasted === undefined ? plainKey(data) : `\u001b[200~${safePaste(pasted)}\u001b[201~`);
  }
}

/** The character that a key types. The library's line knows one of the two ways in which terminals tell it, and the editor both. */
export function plainKey(data: string): string {
  return decodePrintableKey(data) ?? data;
}

/** Line breaks go, as they do in the library's line. */
function safePaste(text: string): string {
  return safeLine(text.replace(/[\r\n]+/g, ""), "strip");
}
