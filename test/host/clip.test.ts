import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { clip, clipLines, head } from "../../src/host/contributions/clip.ts";

const MiB = 1024 * 1024;

function heapBytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

test("what is cut is never half a character, and what fits stays as it is", () => {
  expect(head("ab\u{1f389}", 3)).toBe("ab");
  expect(head("ab\u{1f389}", 4)).toBe("ab\u{1f389}");
  expect(clip("ab\u{1f389}c", 3)).toBe("ab…");
  expect(clip("a\ud800b", 2)).toBe("a…");
  expect(head("\ud800bc", 2)).toBe("\ud800b");
  expect(clipLines(["one", "two", "three"], 2, 2)).toEqual(["on…", "tw…"]);
});

test("a clipped text does not keep the whole of it in memory", () => {
  const before = heapBytes();
  const kept = Array.from({ length: 50 }, (_, index) => {
    return clip(JSON.parse(`"${"abcd".repeat(MiB / 2)}${index}"`), 1_000);
  });
  expect(kept).toHaveLength(50);
  // 50 texts of 2 MiB were cut.
  expect(heapBytes() - before).toBeLessThan(20 * MiB);
});
