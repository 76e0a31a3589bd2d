import { expect, test } from "bun:test";
import fc from "fast-check";
import { applyToOriginal, applyToText } from "../../../src/agent/tools/edit/apply.ts";
import { LineMap } from "../../../src/agent/tools/edit/line-map.ts";
import { matchReplacements, type Span } from "../../../src/agent/tools/edit/matching.ts";

const asLf = (text: string): string => text.replaceAll("\r\n", "\n");

/** Texts in which the interesting characters are frequent. */
const text = fc
  .array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", "\xc3", "\xa9", " "), { maxLength: 40 })
  .map((parts) => parts.join(""));
const lfText = text.map(asLf);

/** An original and spans in its LF form: cut points taken in pairs. */
const scene = text.chain((original) =>
  fc
    .record({
      cuts: fc.uniqueArray(fc.nat(asLf(original).length), { maxLength: 6 }),
      news: fc.array(lfText, { minLength: 3, maxLength: 3 }),
    })
    .map(({ cuts, news }) => {
      const points = cuts.toSorted((a, b) => a - b);
      const spans: Span[] = news.flatMap((newText, index) => {
        const [start, end] = [points[2 * index], points[2 * index + 1]];
        return start === undefined || end === undefined ? [] : [{ start, end, newText }];
      });
      return { original, spans };
    }),
);

/** Where an offset of the LF form lies in the original, found the slow way. */
function slowOrigin(original: string, offset: number): number {
  let at = 0;
  for (let passed = 0; passed < offset; passed++) at += original.startsWith("\r\n", at) ? 2 : 1;
  return at;
}

test("offsets of the LF form lead to the same character in the original", () => {
  fc.assert(
    fc.property(text, (original) => {
      const map = new LineMap(original);
      expect(map.text).toBe(asLf(original));
      for (let offset = 0; offset <= map.text.length; offset++) {
        expect(map.origin(offset)).toBe(slowOrigin(original, offset));
      }
    }),
  );
});

test("the edited text is the reference replacement, but for line endings", () => {
  fc.assert(
    fc.property(scene, ({ original, spans }) => {
      const map = new LineMap(original);
      let expected = map.text;
      for (const span of spans.toReversed()) {
        expected = expected.slice(0, span.start) + span.newText + expected.slice(span.end);
      }
      expect(applyToText(map, spans)).toBe(expected);
      // A carriage return that an edit leaves right before a newline becomes part of an ending; that is its meaning.
      fc.pre(!/\r\n/.test(expected));
      expect(asLf(applyToOriginal(map, spans))).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test("bytes outside of the spans are never touched, whatever their line endings", () => {
  fc.assert(
    fc.property(scene, ({ original, spans }) => {
      const map = new LineMap(original);
      const edited = applyToOriginal(map, spans);
      let from = 0;
      let at = 0;
      for (const span of spans) {
        const outside = original.slice(from, slowOrigin(original, span.start));
        expect(edited.slice(at, at + outside.length)).toBe(outside);
        const inside = edited.slice(at + outside.length);
        const length = lengthWithEndings(inside, span.newText);
        expect(length).not.toBeNull();
        at += outside.length + (length ?? 0);
        from = slowOrigin(original, span.end);
      }
      expect(edited.slice(at)).toBe(original.slice(from));
    }),
    { numRuns: 500 },
  );
});

/** How many characters of `written` are `wanted` with either ending for each LF; null when it is something else. */
function lengthWithEndings(written: string, wanted: string): number | null {
  let at = 0;
  for (const char of wanted) {
    if (char === "\n" && written.startsWith("\r\n", at)) at += 2;
    else if (written[at] === char) at += 1;
    else return null;
  }
  return at;
}

test("a match is found exactly when the text occurs once, overlaps counted", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 12 }),
      fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 }),
      (haystack, needle) => {
        const places = Array.from(haystack, (_, at) => at).filter((at) => haystack.startsWith(needle, at));
        const matching = matchReplacements(haystack, [{ oldText: needle, newText: "c" }], "f");
        expect(matching.ok).toBe(places.length === 1);
        if (matching.ok) expect(matching.spans[0]?.start).toBe(places[0] ?? -1);
        else if (places.length > 1) expect(matching.reason).toContain(`${places.length} matches`);
      },
    ),
  );
});
