import { expect, test } from "bun:test";
import fc from "fast-check";
import { clipUtf8, clipUtf8Start, clipWithMarker } from "../../../src/agent/tools/utf8.ts";

const size = (text: string): number => Buffer.byteLength(text, "utf8");
const text = fc.string({ unit: fc.constantFrom("a", "ü", "…", "🎉"), maxLength: 20 });

/** The longest run of whole characters from one end that fits. */
function slowClip(characters: readonly string[], maxBytes: number): string[] {
  const kept: string[] = [];
  for (const character of characters) {
    if (size(kept.join("")) + size(character) > maxBytes) break;
    kept.push(character);
  }
  return kept;
}

test("clips are the longest ones that fit, from either end", () => {
  fc.assert(
    fc.property(text, fc.nat(40), (whole, maxBytes) => {
      const characters = Array.from(whole);
      expect(clipUtf8(whole, maxBytes)).toBe(slowClip(characters, maxBytes).join(""));
      expect(clipUtf8Start(whole, maxBytes)).toBe(slowClip(characters.toReversed(), maxBytes).toReversed().join(""));
    }),
    { numRuns: 1000 },
  );
});

test("the marker is within the bound, and absent when nothing was cut", () => {
  expect(clipWithMarker("12345", 5, "...")).toBe("12345");
  expect(clipWithMarker("1234567", 6, "...")).toBe("12\n...");
  expect(clipWithMarker("1\n345678", 6, "...")).toBe("1\n...");
});
