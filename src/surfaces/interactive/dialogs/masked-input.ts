import { Input } from "@earendil-works/pi-tui/dist/components/input.js";
import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { CURSOR_MARKER, renderFakeCursor } from "@earendil-works/pi-tui/dist/tui.js";

const BULLET = "•";

/** Keys that move within a text that nobody sees. */
const MOVES = ["left", "right", "home", "end", "ctrl+left", "ctrl+right", "alt+left", "alt+right"] as const;

/** A line whose text never reaches the screen: one bullet a character, and the cursor always behind the last one. */
export class MaskedInput extends Input {
  override handleInput(data: string): void {
    if (!MOVES.some((key) => matchesKey(data, key))) super.handleInput(data);
  }

  override render(width: number): string[] {
    const room = Math.max(1, width - 4);
    const bullets = BULLET.repeat(Math.min([...this.getValue()].length, room));
    return [`› ${bullets}${this.focused ? CURSOR_MARKER : ""}${renderFakeCursor(" ")}`];
  }
}
