import { Input } from "@earendil-works/pi-tui/dist/components/input.js";
import { getKeybindings, type Keybinding } from "@earendil-works/pi-tui/dist/keybindings.js";
import { CURSOR_MARKER, renderFakeCursor } from "@earendil-works/pi-tui/dist/tui.js";
import { plainKey } from "./line-input.ts";

const BULLET = "•";

/** What moves within a text that nobody sees. */
const MOVES: readonly Keybinding[] = [
  "tui.editor.cursorLeft",
  "tui.editor.cursorRight",
  "tui.editor.cursorWordLeft",
  "tui.editor.cursorWordRight",
  "tui.editor.cursorLineStart",
  "tui.editor.cursorLineEnd",
];

/** A line whose text never reaches the screen: one bullet a character, and the cursor always behind the last one. */
export class MaskedInput extends Input {
  override handleInput(data: string): void {
    const keys = getKeybindings();
    if (!MOVES.some((move) => keys.matches(data, move))) super.handleInput(plainKey(data));
  }

  override render(width: number): string[] {
    const room = Math.max(1, width - 4);
    const bullets = BULLET.repeat(Math.min([...this.getValue()].length, room));
    return [`› ${bullets}${this.focused ? CURSOR_MARKER : ""}${renderFakeCursor(" ")}`];
  }
}
