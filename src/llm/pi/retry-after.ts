/**
 * How long a service asks to wait, in ms: `retry-after-ms`, else `retry-after` as seconds or as an HTTP date.
 * Undefined when there is no such header or it makes no sense; 0 for a date in the past. Not capped: the turn does that.
 */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const precise = milliseconds(headers.get("retry-after-ms"), 1);
  if (precise !== undefined) return precise;
  const header = headers.get("retry-after");
  const seconds = milliseconds(header, 1000);
  if (seconds !== undefined || header === null) return seconds;
  // An HTTP date names its month; `Date.parse` would make a date of a bare "-1" too.
  const date = /[a-z]{3}/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function milliseconds(text: string | null, unit: number): number | undefined {
  if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  return Math.round(Number(text) * unit);
}
