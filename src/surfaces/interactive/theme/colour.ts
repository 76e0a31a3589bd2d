import { backgroundAnsi, colorToRgb, foregroundAnsi, parseColor } from "@earendil-works/pi-tui/dist/colors.js";
import type { ColourDepth } from "./depth.ts";

/** The 16 colours that every terminal has, as xterm paints them; the user's own palette decides what they look like. */
const ANSI: readonly (readonly [name: string, r: number, g: number, b: number])[] = [
  ["black", 0, 0, 0],
  ["red", 205, 0, 0],
  ["green", 0, 205, 0],
  ["yellow", 205, 205, 0],
  ["blue", 0, 0, 238],
  ["magenta", 205, 0, 205],
  ["cyan", 0, 205, 205],
  ["white", 229, 229, 229],
  ["brightBlack", 127, 127, 127],
  ["brightRed", 255, 0, 0],
  ["brightGreen", 0, 255, 0],
  ["brightYellow", 255, 255, 0],
  ["brightBlue", 92, 92, 255],
  ["brightMagenta", 255, 0, 255],
  ["brightCyan", 0, 255, 255],
  ["brightWhite", 255, 255, 255],
];

/** What a theme may say: `default`, a name of the 16, an index from 0 to 255, `#rgb` or `#rrggbb`. */
export function isColour(value: string | number): boolean {
  if (typeof value === "number") return Number.isInteger(value) && value >= 0 && value <= 255;
  return value === "default" || ansiIndex(value) >= 0 || /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value);
}

/** The SGR sequence that switches to this colour; "" where there are no colours. `value` is one that `isColour` admits. */
export function colourSgr(value: string | number, layer: "fg" | "bg", depth: ColourDepth): string {
  if (depth === "none") return "";
  if (value === "default") return layer === "fg" ? "\u001b[39m" : "\u001b[49m";
  const index = typeof value === "number" && value < ANSI.length ? value : ansiIndex(value);
  if (index >= 0) return basicSgr(index, layer);
  const colour = parseColor(value);
  if (depth === "16") {
    const { r, g, b } = colorToRgb(colour);
    return basicSgr(nearest(r, g, b), layer);
  }
  const mode = depth === "256" ? "256color" : "truecolor";
  return layer === "fg" ? foregroundAnsi(colour, mode) : backgroundAnsi(colour, mode);
}

function ansiIndex(value: string | number): number {
  return ANSI.findIndex(([name]) => name === value);
}

function basicSgr(index: number, layer: "fg" | "bg"): string {
  const base = index < 8 ? 30 + index : 82 + index;
  return `\u001b[${layer === "fg" ? base : base + 10}m`;
}

function nearest(r: number, g: number, b: number): number {
  let best = 0;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const [index, [, r2, g2, b2]] of ANSI.entries()) {
    // The eye sees green best and blue least.
    const distance = 3 * (r - r2) ** 2 + 6 * (g - g2) ** 2 + (b - b2) ** 2;
    if (distance >= bestDistance) continue;
    best = index;
    bestDistance = distance;
  }
  return best;
}
