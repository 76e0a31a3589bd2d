import { decodePrintableKey, type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { PanelKeyName } from "../../../wire/frames.ts";

/** What a key of the terminal is to a panel (extension-host.md §5.2). */
export type PanelKey =
  | { readonly kind: "close" }
  | { readonly kind: "named"; readonly name: PanelKeyName }
  | { readonly kind: "rune"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  /** A key that has no name in the protocol: dropped (defect 30). */
  | { readonly kind: "none" };

const NAMED: readonly (readonly [KeyId, PanelKeyName])[] = [
  ["up", "up"],
  ["down", "down"],
  ["left", "left"],
  ["right", "right"],
  ["enter", "enter"],
  ["tab", "tab"],
  ["backspace", "backspace"],
  ["delete", "delete"],
  ["home", "home"],
  ["end", "end"],
  ["pageUp", "pageup"],
  ["pageDown", "pagedown"],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of a paste are made of them
const PASTE = /^\u001b\[200~([\s\S]*)\u001b\[201~$/;

/** @param data one key as the terminal library hands it over */
export function panelKey(data: string): PanelKey {
  if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) return { kind: "close" };
  const paste = PASTE.exec(data)?.[1];
  if (paste !== undefined) return { kind: "paste", text: paste };
  const named = NAMED.find(([key]) => matchesKey(data, key));
  if (named !== undefined) return { kind: "named", name: named[1] };
  const text = decodePrintableKey(data) ?? data;
  return isText(text) ? { kind: "rune", text } : { kind: "none" };
}

function isText(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not pass
  return text !== "" && !/[\u0000-\u001f\u007f-\u009f]/.test(text);
}
