import { expect, test } from "bun:test";
import fc from "fast-check";
import { encodeSse, SseDecoder, type SseEvent, SseOverflow } from "../../src/llm/pi/sse.ts";

function decode(pieces: readonly Uint8Array[]): SseEvent[] {
  const decoder = new SseDecoder();
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.end()];
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(start, start + size));
    start += size;
  }
  pieces.push(bytes.subarray(start));
  return pieces;
}

const eol = fc.constantFrom("\n", "\r\n", "\r");
const line = fc.string({ unit: "binary", maxLength: 20 }).map((text) => `x${text.replace(/[\r\n\uFEFF]/g, "")}`);

test("events are the same however their bytes are cut", () => {
  const property = fc.property(
    fc.array(fc.tuple(fc.constantFrom("", "ping", "message"), fc.array(line, { minLength: 1, maxLength: 3 })), {
      maxLength: 5,
    }),
    eol,
    fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 80 }),
    (events, end, sizes) => {
      const text = events
        .map(([name, lines]) => {
          const head = name === "" ? "" : `event: ${name}${end}`;
          return `: note${end}${head}${lines.map((data) => `data:${data}${end}`).join("")}${end}`;
        })
        .join("");
      const expected = events.map(([event, lines]) => ({
        event,
        data: lines.map((data) => data.toWellFormed()).join("\n"),
      }));
      expect(decode(cut(Buffer.from(text), sizes))).toEqual(expected);
    },
  );
  fc.assert(property, { numRuns: 300 });
});

test("a CRLF cut in two ends one line, not two", () => {
  const pieces = ["event: a\r", "\ndata: 1\r", "\n\r", "\ndata: 2\r\n\r\n"].map((text) => Buffer.from(text));
  expect(decode(pieces)).toEqual([
    { event: "a", data: "1" },
    { event: "", data: "2" },
  ]);
});

test("an event without data, a comment and a lone field are nothing", () => {
  expect(decode([Buffer.from(": hi\n\ndata\n\ndata:\n\nevent: ping\n\nid: 3\nretry: 5\n\n")])).toEqual([]);
});

test("the last event counts although its blank line is missing", () => {
  expect(decode([Buffer.from("data: [DONE]")])).toEqual([{ event: "", data: "[DONE]" }]);
});

test("an event is spelled so that it reads back the same", () => {
  const event = { event: "message_start", data: '{"a":\n1}' };
  expect(decode([Buffer.from(encodeSse(event))])).toEqual([event]);
});

test("an event without end is refused, not gathered for ever", () => {
  const decoder = new SseDecoder();
  const piece = Buffer.from(`data: ${"x".repeat(8 * 1024 * 1024)}\n`);
  expect(() => {
    for (let count = 0; count < 6; count++) decoder.push(piece);
  }).toThrow(SseOverflow);
});
