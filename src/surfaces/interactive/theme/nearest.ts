/** Red, green, blue, each from 0 to 255. */
export type Rgb = readonly number[];

/** Of red, green and blue in the colour cube of the 256 (16 to 231). */
export const CUBE_LEVELS = [0, 95, 135, 175, 215, 255];
const GREYS = 24;
/** Less difference between the strongest and the weakest part than this is a grey with a tint. */
const GREY_CHROMA = 40;
/** The six hues of the 16 colours, in the order of their angles: red at 0, yellow at 60 … */
const HUES = [1, 3, 2, 6, 4, 5];
/** From here on a hue is taken from the bright half of the 16. */
const BRIGHT_FROM = 200;

/** The colour of the 256 that looks most like this one; those that a user may have redefined (0 to 15) are left out. */
export function nearestOf256(rgb: Rgb): number {
  const cube = rgb.map((part) => closest(CUBE_LEVELS, part));
  const grey = Math.max(0, Math.min(GREYS - 1, Math.round((mean(rgb) - 8) / 10)));
  const greyRgb = rgb.map(() => 8 + 10 * grey);
  const cubeRgb = cube.map((level) => CUBE_LEVELS[level] ?? 0);
  if (distance(rgb, greyRgb) < distance(rgb, cubeRgb)) return 232 + grey;
  return cube.reduce((index, level) => index * 6 + level, 0) + 16;
}

/**
 * The one of the 16 that means the same: its hue, or how bright a grey it is. By distance alone nearly every soft colour would
 * come out as the same grey.
 */
export function nearestOf16(rgb: Rgb): number {
  const [r = 0, g = 0, b = 0] = rgb;
  const strongest = Math.max(r, g, b);
  const chroma = strongest - Math.min(r, g, b);
  if (chroma < GREY_CHROMA) return greyOf16(mean(rgb));
  const hue = HUES[Math.round(sector(r, g, b, strongest, chroma)) % HUES.length] ?? 0;
  return strongest >= BRIGHT_FROM ? hue + 8 : hue;
}

function greyOf16(brightness: number): number {
  if (brightness < 64) return 0;
  if (brightness < 160) return 8;
  return brightness < 225 ? 7 : 15;
}

/** The angle of the hue in sixths of a turn, from 0 (red) to below 6. */
function sector(r: number, g: number, b: number, strongest: number, chroma: number): number {
  if (strongest === r) return ((g - b) / chroma + 6) % 6;
  return strongest === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
}

function closest(levels: readonly number[], part: number): number {
  const gaps = levels.map((level) => Math.abs(level - part));
  return gaps.indexOf(Math.min(...gaps));
}

/** The eye sees green best and blue least. */
function distance(one: Rgb, other: Rgb): number {
  const [r = 0, g = 0, b = 0] = one.map((part, index) => (part - (other[index] ?? 0)) ** 2);
  return 3 * r + 6 * g + b;
}

function mean(rgb: Rgb): number {
  return rgb.reduce((sum, part) => sum + part, 0) / rgb.length;
}
