import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FrameTooLongError, LineSplitter } from "../../src/wire/framing.ts";
import { FRAME_MAX_BYTES } from "../../src/wire/limits.ts";
import { LineReader } from "../../src/wire/line-reader.ts";

/** Feeds `bytes` in pieces cut at `cuts`. */
function split(bytes: Uint8Array, cuts: readonly number[], limit?: number): string[] {
  const splitter = new LineSplitter(limit);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const lines: string[] = [];
  let from = 0;
  for (const to of [...places, bytes.length]) {
    lines.push(...splitter.push(bytes.subarray(from, to)));
    from = to;
  }
  const last = splitter.end();
  return last === undefined ? lines : [...lines, last];
}

/** The plainest way to say what lines are. */
function linesOf(bytes: Uint8Array): string[] {
  const lines = splitAt(bytes, 0x0a);
  if (lines.at(-1)?.length === 0) lines.pop();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return lines.map((line) => decoder.decode(line).replace(/\r$/, ""));
}

function splitAt(bytes: Uint8Array, separator: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let from = 0;
  for (let end = bytes.indexOf(separator); end !== -1; end = bytes.indexOf(separator, from)) {
    parts.push(bytes.subarray(from, end));
    from = end + 1;
  }
  return [...parts, bytes.subarray(from)];
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("lines are cut at 0x0A and nowhere else", () => {
  const wellFormedLine = fc
    .string({
      unit: fc.constantFrom(
        "a",
        "é",
        "狐",
        "🎉",
        "\u2028",
        "\u2029",
        "\u0085",
        "\u000b",
        "\f",
        "\t",
        "\\",
        '"',
        "\0",
        "\uFEFF",
      ),
    })
    .filter((line) => !line.endsWith("\r"));

  test("whatever the chunking, also inside a multi-byte character", () => {
    fc.assert(
      fc.property(fc.array(wellFormedLine), fc.array(fc.nat({ max: 500 })), (lines, cuts) => {
        const bytes = encode(lines.map((line) => `${line}\n`).join(""));
        expect(split(bytes, cuts)).toEqual(lines);
      }),
    );
  });

  test("the last line counts without its line feed, an empty rest does not", () => {
    expect(split(encode("a\nb"), [])).toEqual(["a", "b"]);
    expect(split(encode("a\n"), [])).toEqual(["a"]);
    expect(split(encode(""), [])).toEqual([]);
  });

  test("one CR before the line feed is dropped, every other CR stays", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 20 })), (cuts) => {
        expect(split(encode("a\r\nb\rc\r\r\n\r\nd\r"), cuts)).toEqual(["a", "b\rc\r", "", "d"]);
      }),
    );
  });

  test("whatever the bytes, with every line near the limit or far below it", () => {
    const byte = fc.constantFrom(0x0a, 0x0d, 0x61, 0x00, 0xc3, 0xa9, 0xf0, 0x9f, 0xff, 0xef, 0xbb, 0xbf);
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 60 }), fc.array(fc.nat({ max: 60 })), (list, cuts) => {
        const bytes = Uint8Array.from(list);
        const expected = linesOf(bytes);
        expect(split(bytes, cuts)).toEqual(expected);
        const longest = Math.max(...splitAt(bytes, 0x0a).map(({ length }) => length + 1));
        expect(split(bytes, cuts, longest)).toEqual(expected);
      }),
    );
  });

  test("invalid UTF-8 becomes U+FFFD and loses no line", () => {
    expect(split(new Uint8Array([0x61, 0xff, 0x0a, 0xc3, 0x0a, 0x62, 0x0a]), [])).toEqual(["a\uFFFD", "\uFFFD", "b"]);
  });
});

describe("a line has a limit that includes its line feed", () => {
  test("exactly at the limit passes, one more byte does not", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat({ max: 60 })), (limit, cuts) => {
        const fits = encode(`${"x".repeat(limit - 1)}\n`);
        expect(split(fits, cuts, limit)).toEqual(["x".repeat(limit - 1)]);
        expect(() => split(encode(`${"x".repeat(limit)}\n`), cuts, limit)).toThrow(FrameTooLongError);
      }),
    );
  });

  test("the protocol's limit is 4 MiB", () => {
    expect(FRAME_MAX_BYTES).toBe(4_194_304);
    const atLimit = new Uint8Array(FRAME_MAX_BYTES).fill(0x78);
    atLimit[FRAME_MAX_BYTES - 1] = 0x0a;
    expect([...new LineSplitter().push(atLimit)]).toHaveLength(1);
    expect(() => [...new LineSplitter().push(new Uint8Array(FRAME_MAX_BYTES + 1).fill(0x78))]).toThrow(
      FrameTooLongError,
    );
  });

  test("an endless line is refused without being collected", () => {
    const splitter = new LineSplitter();
    const chunk = new Uint8Array(65_536).fill(0x78);
    let pushed = 0;
    expect(() => {
      for (; pushed < 1_000; pushed += 1) [...splitter.push(chunk)];
    }).toThrow(FrameTooLongError);
    expect(pushed).toBe(FRAME_MAX_BYTES / 65_536);
  });

  test("lines before the one that is too long are still delivered", () => {
    const seen: string[] = [];
    expect(() => {
      for (const line of new LineSplitter(4).push(encode("a\nb\ntoo long\n"))) seen.push(line);
    }).toThrow(FrameTooLongError);
    expect(seen).toEqual(["a", "b"]);
  });
});

describe("reading a stream", () => {
  async function* chunks(...texts: string[]): AsyncGenerator<Uint8Array> {
    for (const text of texts) yield encode(text);
  }

  interface Sink {
    push(line: string): unknown;
  }

  async function everyLine(reader: LineReader, sink: Sink): Promise<void> {
    await reader.forEach((line) => {
      sink.push(line);
    });
  }

  async function oneByOne(reader: LineReader, sink: Sink): Promise<void> {
    for await (const line of reader) sink.push(line);
  }

  test("yields every line and the unfinished last one", async () => {
    expect(await Array.fromAsync(new LineReader(chunks("a\nb", "c\n", "d")))).toEqual(["a", "bc", "d"]);
  });

  test("gives one line at a time, and then all that are left", async () => {
    const reader = new LineReader(chunks("a\nb\nc", "d\ne"));
    const rest: string[] = [];
    expect(await reader.next()).toBe("a");
    await everyLine(reader, rest);
    expect(rest).toEqual(["b", "cd", "e"]);
    expect(await reader.next()).toBeUndefined();
  });

  test("hands over what comes before a line that is too long, throws, and lets go of the stream", async () => {
    for (const read of [everyLine, oneByOne]) {
      let released = false;
      async function* endless(): AsyncGenerator<Uint8Array> {
        try {
          for (;;) yield encode("a\nb\ntoo long");
        } finally {
          released = true;
        }
      }
      const seen: string[] = [];
      expect(await read(new LineReader(endless(), 4), seen).catch((error) => error)).toBeInstanceOf(FrameTooLongError);
      expect([seen, released]).toEqual([["a", "b"], true]);
    }
  });

  test("a reused chunk buffer does not corrupt a line that spans chunks", async () => {
    async function* reusing(): AsyncGenerator<Uint8Array> {
      const buffer = new Uint8Array(2);
      for (const text of ["ab", "cd", "e\n"]) {
        buffer.set(encode(text));
        yield buffer.subarray(0, text.length);
      }
    }
    expect(await Array.fromAsync(new LineReader(reusing()))).toEqual(["abcde"]);
  });

  test("a flood lets timers run", async () => {
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    const flood = `${'{"type":"notify","message":"x"}\n'.repeat(2_000)}`;
    for (const read of [everyLine, oneByOne]) {
      ticks = 0;
      let frames = 0;
      const count = { push: (line: string) => (frames += JSON.parse(line).type === "notify" ? 1 : 0) };
      await read(new LineReader(chunks(...Array.from({ length: 200 }, () => flood))), count);
      expect(frames).toBe(400_000);
      expect(ticks).toBeGreaterThan(5);
    }
    clearInterval(timer);
  });
});
