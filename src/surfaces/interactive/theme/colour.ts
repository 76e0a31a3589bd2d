import type { ColourDepth } from "./depth.ts";
import { CUBE_LEVELS, nearestOf16, nearestOf256, type Rgb } from "./nearest.ts";

/** The 16 colours that every terminal has, by index; the user's own palette decides what they look like. */
const ANSI = [
  "black",
  "red",
  "green",
  "yellow",
  "blue",
  "magenta",
  "cyan",
  "white",
  "brightBlack",
  "brightRed",
  "brightGreen",
  "brightYellow",
  "brightBlue",
  "brightMagenta",
  "brightCyan",
  "brightWhite",
];

/** Behind the 16 and the colour cube. */
const FIRST_GREY = 232;

/** What a theme may say: `default`, a name of the 16, an index from 0 to 255, `#rgb` or `#rrggbb`. */
export function isColour(value: string | number): boolean {
  if (typeof value === "number") return Number.isInteger(value) && value >= 0 && value <= 255;
  return value === "default" || ANSI.includes(value) || /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);
}

/** The SGR sequence that switches to this colour; "" where there are no colours. `value` is one that `isColour` admits. */
export function colourSgr(value: string | number, layer: "fg" | "bg", depth: ColourDepth): string {
  if (depth === "none") return "";
  if (value === "default") return layer === "fg" ? "\u001b[39m" : "\u001b[49m";
  const index = typeof value === "number" ? value : ANSI.indexOf(value);
  if (index >= 0 && index < ANSI.length) return basicSgr(index, layer);
  const kind = layer === "fg" ? 38 : 48;
  if (index >= 0 && depth !== "16") return `\u001b[${kind};5;${index}m`;
  const rgb = typeof value === "number" ? indexedRgb(value) : hexRgb(value);
  if (depth === "16") return basicSgr(nearestOf16(rgb), layer);
  return depth === "256" ? `\u001b[${kind};5;${nearestOf256(rgb)}m` : `\u001b[${kind};2;${rgb.join(";")}m`;
}

function basicSgr(index: number, layer: "fg" | "bg"): string {
  const base = index < 8 ? 30 + index : 82 + index;
  return `\u001b[${layer === "fg" ? base : base + 10}m`;
}

function hexRgb(hex: string): Rgb {
  const digits = hex.slice(1);
  const wide = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  return [0, 2, 4].map((at) => Number.parseInt(wide.slice(at, at + 2), 16));
}

/** A colour of the 256 that is none of the 16. */
function indexedRgb(index: number): Rgb {
  if (index >= FIRST_GREY) return [0, 0, 0].fill(8 + 10 * (index - FIRST_GREY));
  const place = index - ANSI.length;
  return [Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6].map((level) => CUBE_LEVELS[level] ?? 0);
}
