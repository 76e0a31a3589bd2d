import type { WireEvent } from "./events.ts";
import type { Turn } from "./turn.ts";

/** An event as it goes over the wire. */
export function eventBytes(event: WireEvent, turn: Turn, isFirst: boolean): Buffer {
  const eol = turn.eol ?? "\n";
  const lines: string[] = [];
  for (let count = 0; count < (turn.comments ?? 0); count++) lines.push(": keep-alive", "");
  if (turn.pings === true) lines.push("data:", "", "event: ping", "data: still here", "");
  if (event.name !== undefined) lines.push(`event: ${event.name}`);
  const comma = turn.splitData === true ? event.data.indexOf(",") : -1;
  if (comma === -1) lines.push(`data: ${event.data}`, "");
  else lines.push(`data: ${event.data.slice(0, comma + 1)}`, `data: ${event.data.slice(comma + 1)}`, "");
  const text = lines.map((line) => `${line}${eol}`).join("");
  const mark = isFirst && turn.byteOrderMark === true ? "\uFEFF" : "";
  return Buffer.from(`${mark}${isFirst ? (turn.prelude ?? "") : ""}${text}`);
}

/** The writes in which some bytes are sent. */
export function writesOf(bytes: Buffer, chunk: Turn["chunk"]): Buffer[] {
  if (chunk === undefined) return [bytes];
  if (chunk === "inside-characters") return cutInsideCharacters(bytes);
  const writes: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += chunk) writes.push(bytes.subarray(start, start + chunk));
  return writes;
}

function cutInsideCharacters(bytes: Buffer): Buffer[] {
  const writes: Buffer[] = [];
  let start = 0;
  bytes.forEach((byte, position) => {
    // A continuation byte: everything before it goes out first.
    if (byte < 0x80 || byte >= 0xc0) return;
    writes.push(bytes.subarray(start, position));
    start = position;
  });
  writes.push(bytes.subarray(start));
  return writes.filter((write) => write.length > 0);
}
