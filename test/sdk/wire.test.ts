import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodeFrame } from "../../src/sdk/encode.ts";
import { INBOUND_FRAME_MAX_BYTES } from "../../src/sdk/limits.ts";
import { LineSplitter } from "../../src/sdk/lines.ts";
import { RawJson, rawMember } from "../../src/sdk/raw-json.ts";

describe("encoding a frame", () => {
  test("type and id come first whatever the order, and undefined members are left out", () => {
    expect(encodeFrame({ a: 1, gone: undefined, id: "7", type: "t" })).toBe('{"type":"t","id":"7","a":1}\n');
  });

  test("raw JSON keeps the escapes of whole surrogate pairs, which other printers write", () => {
    const args = '{"party":"\\ud83c\\udf89"}';
    expect(encodeFrame({ type: "t", args: new RawJson(args) })).toBe(`{"type":"t","args":${args}}\n`);
  });

  test("any value comes back equal, on one line, with U+FFFD for lone surrogates", () => {
    const text = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(
        fc.jsonValue(),
        text,
        fc.string({ unit: fc.constantFrom("\\", "u", "d", "8", "3", "\ud83d") }),
        (value, a, b) => {
          const line = encodeFrame({ type: "t", value, a, b });
          expect(line.indexOf("\n")).toBe(line.length - 1);
          expect(line.isWellFormed()).toBe(true);
          const back = JSON.parse(line);
          expect(back.a).toBe(a.toWellFormed());
          expect(back.b).toBe(b.toWellFormed());
          expect(back.value).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });

  test("raw JSON goes in as it stands, but never over two lines", () => {
    const raw = new RawJson('{"n":\n9007199254740993,\r\n"s":"\\n"}');
    const line = encodeFrame({ type: "t", raw });
    expect(line).toBe('{"type":"t","raw":{"n": 9007199254740993,  "s":"\\n"}}\n');
    expect(() => new RawJson("{]")).toThrow(SyntaxError);
  });
});

describe("one member of a frame as text", () => {
  test("is what JSON.parse sees there, in any object", () => {
    const dictionary = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(dictionary, fc.constantFrom(undefined, 2), (object, indent) => {
        const json = JSON.stringify(object, null, indent);
        for (const key of Object.keys(object)) {
          const raw = rawMember(json, key);
          expect(raw).toBeDefined();
          expect(JSON.parse(raw ?? "")).toEqual(JSON.parse(json)[key]);
        }
        expect(rawMember(json, "no such key, surely")).toBe(
          Object.hasOwn(object, "no such key, surely") ? expect.anything() : undefined,
        );
      }),
    );
  });

  test.each([
    ['{"args":{"a":1},"args":{"b":2}}', '{"b":2}'],
    ['{"x":{"args":1},"args":  [1, {"]":"}"}] }', '[1, {"]":"}"}]'],
    ['{"x":"\\"args\\":1","\\u0061rgs":-1.5e3}', "-1.5e3"],
    ['{"x":"\\\\","args":"a\\\\\\"b"}', '"a\\\\\\"b"'],
    ["{}", undefined],
    ['{"nested":{"args":1}}', undefined],
  ])("%s", (json, expected) => {
    expect(rawMember(json, "args")).toBe(expected);
  });
});

describe("lines from bytes", () => {
  const encoder = new TextEncoder();

  function split(chunks: readonly Uint8Array[]): { lines: string[]; tooLong: number[] } {
    const tooLong: number[] = [];
    const splitter = new LineSplitter((bytes) => tooLong.push(bytes));
    const lines = chunks.flatMap((chunk) => [...splitter.push(chunk)]);
    const rest = splitter.take();
    return { lines: rest === undefined ? lines : [...lines, rest], tooLong };
  }

  test("are the same however the bytes are cut", () => {
    const text = fc.string({ unit: "grapheme" }).filter((line) => !/[\n\r]/.test(line) && line !== "");
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat(50)), (lines, cuts) => {
        let bytes = encoder.encode(lines.map((line) => `${line}\n`).join(""));
        const chunks: Uint8Array[] = [];
        for (const cut of cuts) {
          chunks.push(bytes.slice(0, cut));
          bytes = bytes.slice(cut);
        }
        expect(split([...chunks, bytes]).lines).toEqual(lines);
      }),
    );
  });

  test("a chunk may be overwritten once it has been taken", () => {
    const chunk = encoder.encode("half");
    const splitter = new LineSplitter(() => undefined);
    expect([...splitter.push(chunk)]).toEqual([]);
    chunk.fill(0x78);
    expect([...splitter.push(encoder.encode(" done\n"))]).toEqual(["half done"]);
  });

  test("a line over the limit is skipped, told of once, and the next one is whole", () => {
    const piece = new Uint8Array(1024 * 1024).fill(0x61);
    const chunks = [
      ...Array.from({ length: INBOUND_FRAME_MAX_BYTES / piece.length + 1 }, () => piece),
      encoder.encode("\nok\n"),
    ];
    expect(split(chunks)).toEqual({ lines: ["ok"], tooLong: [INBOUND_FRAME_MAX_BYTES + piece.length] });
  });
});
