const HALF_AT_END = /[\ud800-\udbff]$/;
const HALF_AT_START = /^[\udc00-\udfff]/;

/** At most the first `max` code units of a text; a character that takes two of them is never cut in half. */
export function headOf(text: string, max: number): string {
  return text.length <= max ? text : withoutHalf(text.slice(0, Math.max(0, max)));
}

/** At most the last `max` code units of a text, likewise. */
export function tailOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(Math.max(0, text.length - max)).replace(HALF_AT_START, "");
}

/** Text that is still coming, without a first half of a character whose second half comes with the next piece. */
export function withoutHalf(text: string): string {
  return HALF_AT_END.test(text) ? text.slice(0, -1) : text;
}
