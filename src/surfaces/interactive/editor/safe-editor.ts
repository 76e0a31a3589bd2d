import type { AutocompleteProvider } from "@earendil-works/pi-tui/dist/autocomplete.js";
import { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
import { decodePrintableKey } from "@earendil-works/pi-tui/dist/keys.js";
import { safeText } from "../text/safe-text.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks of a paste are made of them
const PASTE = /^\u001b\[200~([\s\S]*)\u001b\[201~$/;
/** A control character in a paste as some terminals (tmux) write it: Ctrl and a letter. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how they are written
const PASTED_CONTROL = /\u001b\[(\d+);5u/g;
/** In fewer columns the library looks for ever for a place for a wide character; what is too wide is cut by the screen. */
const LEAST_WIDTH = 6;
/** What a key can type that is no text: 8-bit controls, and characters that turn a row around or are not there at all. */
const NOT_TYPED = /[\u0080-\u009f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;

/**
 * The library's editor, which shows what is in it as it is. So nothing gets into it but safe text, from wherever it comes: typed,
 * pasted, completed, set, inserted, or from the history.
 */
export class SafeEditor extends Editor {
  override render(width: number): string[] {
    return super.render(Math.max(LEAST_WIDTH, width));
  }

  override setText(text: string): void {
    super.setText(entering(text));
  }

  override insertTextAtCursor(text: string): void {
    super.insertTextAtCursor(entering(text));
  }

  override addToHistory(text: string): void {
    super.addToHistory(entering(text));
  }

  override setAutocompleteProvider(provider: AutocompleteProvider): void {
    super.setAutocompleteProvider(safely(provider));
  }

  override handleInput(data: string): void {
    const pasted = PASTE.exec(data)?.[1];
    if (pasted !== undefined) super.handleInput(`\u001b[200~${entering(decoded(pasted))}\u001b[201~`);
    // One unit of UTF-16 at a time, so that this is not a matter for `safeText`, which would see half a character.
    else if (!NOT_TYPED.test(decodePrintableKey(data) ?? data)) super.handleInput(data);
  }
}

/** Text of anybody as text for the editor. */
function entering(text: string): string {
  return safeText(text.replace(/\r\n?/g, "\n"), "strip");
}

function decoded(pasted: string): string {
  return pasted.replace(PASTED_CONTROL, (written, code: string) => {
    const letter = String.fromCharCode(Number(code));
    return /^[a-z]$/i.test(letter) ? String.fromCharCode(letter.charCodeAt(0) & 0x1f) : written;
  });
}

/** The same offers; what they put into the text is safe. */
function safely(provider: AutocompleteProvider): AutocompleteProvider {
  return {
    triggerCharacters: provider.triggerCharacters ?? [],
    getSuggestions: (lines, line, column, options) => provider.getSuggestions(lines, line, column, options),
    shouldTriggerFileCompletion: (lines, line, column) =>
      provider.shouldTriggerFileCompletion?.(lines, line, column) ?? true,
    applyCompletion: (...args) => {
      const { lines, cursorLine, cursorCol } = provider.applyCompletion(...args);
      const before = (lines[cursorLine] ?? "").slice(0, cursorCol);
      return { lines: lines.map(oneLine), cursorLine, cursorCol: oneLine(before).length };
    },
  };
}

function oneLine(text: string): string {
  return entering(text).replaceAll("\n", " ");
}
