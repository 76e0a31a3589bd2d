/** Times that every reader of RFC 3339 takes. */
const EARLIEST = Date.parse("0001-01-01T00:00:00Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** RFC 3339 in UTC. `ms` since the epoch; a time that cannot be written is written as the epoch. */
export function encodeTime(ms: number): string {
  const isWritable = ms >= EARLIEST && ms <= LATEST;
  return new Date(isWritable ? ms : 0).toISOString();
}

/** Milliseconds since the epoch, or undefined when `value` is no time. */
export function decodeTime(value: unknown): number | undefined {
  if (typeof value !== "string" || !RFC_3339.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}
