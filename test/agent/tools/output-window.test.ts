import { expect, test } from "bun:test";
import fc from "fast-check";
import { OutputWindow, type WindowLimits, type WindowView } from "../../../src/agent/tools/bash/output-window.ts";

const size = (text: string): number => Buffer.byteLength(text, "utf8");
const lineCount = (text: string): number => text.split("\n").length - 1;

function viewOf(pieces: readonly string[], limits: WindowLimits): WindowView {
  const window = new OutputWindow(limits);
  for (const piece of pieces) window.push(piece);
  expect(window.overflows).toBe(window.view().kind === "cut");
  return window.view();
}

const limits = fc.record({
  headBytes: fc.integer({ min: 4, max: 30 }),
  headLines: fc.integer({ min: 1, max: 6 }),
  tailBytes: fc.integer({ min: 4, max: 30 }),
  tailLines: fc.integer({ min: 1, max: 6 }),
});
const pieces = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "\n", "ü", "…", "🎉"), maxLength: 30 }), {
  maxLength: 12,
});

test("a text within the limits is shown whole, any other as its true beginning and end with exact counts", () => {
  fc.assert(
    fc.property(pieces, limits, (parts, bounds) => {
      const text = parts.join("");
      const view = viewOf(parts, bounds);
      const fits =
        size(text) <= bounds.headBytes + bounds.tailBytes && lineCount(text) <= bounds.headLines + bounds.tailLines;
      expect(view.kind).toBe(fits ? "whole" : "cut");
      if (view.kind === "whole") {
        expect(view.text).toBe(text);
        return;
      }
      expect(text.startsWith(view.head)).toBeTrue();
      expect(text.endsWith(view.tail)).toBeTrue();
      expect(size(view.head)).toBeLessThanOrEqual(bounds.headBytes);
      expect(size(view.tail)).toBeLessThanOrEqual(bounds.tailBytes);
      expect(lineCount(view.head)).toBeLessThanOrEqual(bounds.headLines);
      expect(lineCount(view.tail)).toBeLessThanOrEqual(bounds.tailLines);
      expect(view.head + view.tail).not.toContain("\ufffd");
      expect(view.omittedBytes).toBe(size(text) - size(view.head) - size(view.tail));
      expect(view.omittedBytes).toBeGreaterThan(0);
      expect(view.omittedLines).toBe(lineCount(text) - lineCount(view.head) - lineCount(view.tail));
    }),
    { numRuns: 2000 },
  );
});

test("how the text is cut into pieces does not matter", () => {
  fc.assert(
    fc.property(pieces, limits, (parts, bounds) => {
      expect(viewOf(parts, bounds)).toEqual(viewOf([parts.join("")], bounds));
    }),
    { numRuns: 1000 },
  );
});

test("cuts fall between lines", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\n`);
  const view = viewOf([lines.join("")], { headBytes: 20, headLines: 50, tailBytes: 30, tailLines: 50 });
  expect(view).toEqual({
    kind: "cut",
    head: "line 0\nline 1\n",
    tail: "line 97\nline 98\nline 99\n",
    omittedLines: 95,
    omittedBytes: lines.slice(2, 97).join("").length,
  });
});

test("a line that is too long for that is cut itself", () => {
  const view = viewOf(["x".repeat(100)], { headBytes: 10, headLines: 5, tailBytes: 20, tailLines: 5 });
  expect(view).toEqual({
    kind: "cut",
    head: "x".repeat(10),
    tail: "x".repeat(20),
    omittedLines: 0,
    omittedBytes: 70,
  });
});

test("the end stays right after far more text than is kept", () => {
  const window = new OutputWindow({ headBytes: 100, headLines: 10, tailBytes: 100, tailLines: 3 });
  for (let line = 1; line <= 100_000; line++) window.push(`${line}\n`);
  const view = window.view();
  if (view.kind !== "cut") throw new Error("not cut");
  expect(view.head).toBe("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n");
  expect(view.tail).toBe("99998\n99999\n100000\n");
  expect(view.omittedLines).toBe(100_000 - 13);
});
