import { Image } from "@earendil-works/pi-tui/dist/components/image.js";
import { getCapabilities, getCellDimensions, getImageDimensions } from "@earendil-works/pi-tui/dist/terminal-image.js";
import type { ImageBlock, ToolResultBlock } from "../../../llm/messages.ts";
import { clampRow } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";

const MAX_ROWS = 20;
const MAX_COLUMNS = 60;
/** Larger pictures are named, not drawn: each is sent to the terminal as one escape sequence. */
const DRAWN_MAX_CHARS = 4 * 1024 * 1024;
/** All that one card draws. */
const CARD_MAX_CHARS = 8 * 1024 * 1024;

/** The pictures of one result; those that are too many together are named, as those are that are too large. */
export function picturesOf(look: Look, content: ToolResultBlock["content"]): Picture[] {
  let room = CARD_MAX_CHARS;
  return content
    .filter((block) => block.type === "image")
    .map((image) => {
      const picture = new Picture(look, image, Math.min(room, DRAWN_MAX_CHARS));
      room -= picture.chars;
      return picture;
    });
}

/** A picture where the terminal can show one, else a line that says what it is. */
export class Picture {
  readonly #look: Look;
  readonly #caption: string;
  /** What it keeps to draw. */
  readonly chars: number;
  #image: Image | undefined;

  /** @param maxChars of its data; a larger one is named, not drawn */
  constructor(look: Look, { data, mimeType }: ImageBlock, maxChars: number) {
    this.#look = look;
    const kind = headOf(safeLine(mimeType, "strip"), 80);
    this.#caption = `[${kind}, ${Math.ceil((data.length * 3) / 4 / 1024)} kB]`;
    // The data becomes part of an escape sequence: nothing but base64 may get there.
    const isDrawn = data.length <= maxChars && /^[A-Za-z0-9+/=]*$/.test(data);
    this.#image = isDrawn ? imageOf(look, data, kind) : undefined;
    this.chars = this.#image === undefined ? 0 : data.length;
  }

  render(width: number): readonly string[] {
    return this.#drawn(width) ?? [this.#look.paint("muted", clampRow(`  ${this.#caption}`, width))];
  }

  #drawn(width: number): readonly string[] | undefined {
    if (getCapabilities().images === null) return undefined;
    try {
      return this.#image?.render(width);
    } catch {
      // Data that is no picture: the caption says what it was to be.
      this.#image = undefined;
      return undefined;
    }
  }
}

/** Undefined when the library finds no picture in it. */
function imageOf(look: Look, data: string, kind: string): Image | undefined {
  try {
    const options = { maxWidthCells: naturalColumns(data, kind), maxHeightCells: MAX_ROWS };
    return new Image(data, kind, { fallbackColor: look.paintOf("muted") }, options);
  } catch {
    // It reads the size out of bytes that a stranger wrote; the caption is what is left.
    return undefined;
  }
}

/** The library fills the width it is given; an icon must not become a poster. */
function naturalColumns(data: string, mimeType: string): number {
  const pixels = getImageDimensions(data, mimeType)?.widthPx;
  if (pixels === undefined) return MAX_COLUMNS;
  return Math.max(1, Math.min(MAX_COLUMNS, Math.ceil(pixels / getCellDimensions().widthPx)));
}
