import { Image } from "@earendil-works/pi-tui/dist/components/image.js";
import { getCapabilities, getCellDimensions, getImageDimensions } from "@earendil-works/pi-tui/dist/terminal-image.js";
import type { ImageBlock } from "../../../llm/messages.ts";
import { clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";

const MAX_ROWS = 20;
const MAX_COLUMNS = 60;
/** Larger pictures are named, not drawn: each is sent to the terminal as one escape sequence. */
const DRAWN_MAX_CHARS = 4 * 1024 * 1024;

/** A picture where the terminal can show one, else a line that says what it is. */
export class Picture {
  readonly #look: Look;
  readonly #caption: string;
  readonly #image: Image | undefined;

  constructor(look: Look, { data, mimeType }: ImageBlock) {
    this.#look = look;
    const kind = safeLine(mimeType, "strip").slice(0, 80);
    this.#caption = `[${kind}, ${Math.ceil((data.length * 3) / 4 / 1024)} kB]`;
    // The data becomes part of an escape sequence: nothing but base64 may get there.
    if (data.length > DRAWN_MAX_CHARS || !/^[A-Za-z0-9+/=]*$/.test(data)) return;
    const options = { maxWidthCells: naturalColumns(data, kind), maxHeightCells: MAX_ROWS };
    this.#image = new Image(data, kind, { fallbackColor: look.paintOf("muted") }, options);
  }

  render(width: number): readonly string[] {
    if (this.#image === undefined || getCapabilities().images === null) {
      return [this.#look.paint("muted", clampRow(`  ${this.#caption}`, width))];
    }
    return this.#image.render(width);
  }
}

/** The library fills the width it is given; an icon must not become a poster. */
function naturalColumns(data: string, mimeType: string): number {
  const pixels = getImageDimensions(data, mimeType)?.widthPx;
  if (pixels === undefined) return MAX_COLUMNS;
  return Math.max(1, Math.min(MAX_COLUMNS, Math.ceil(pixels / getCellDimensions().widthPx)));
}
