import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { cellWidth } from "../../src/surfaces/interactive/text/cells.ts";
import { hangingRows } from "../../src/surfaces/interactive/transcript/hanging-rows.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

const rows = (text: string, width: number): string[] => hangingRows(text, width, 100).map((row) => row.trimEnd());

describe("rows of zot's own that are too long", () => {
  test("go on below their text, not below its label", () => {
    expect(rows("session\n  file      one two three four five", 24)).toEqual([
      "session",
      "  file      one two",
      "            three four",
      "            five",
    ]);
    expect(rows(`  file      /${"x".repeat(14)}`, 24)).toEqual([
      `  file      /${"x".repeat(11)}`,
      `${" ".repeat(12)}xxx`,
    ]);
    expect(rows("  two words  one two three", 26)).toEqual(["  two words  one two three"]);
    expect(rows("  two words  one two three four", 26)).toEqual(["  two words  one two three", "             four"]);
  });

  test("go on a little set in when the label leaves no place", () => {
    expect(rows("  shift+enter, ctrl+j  a new line", 20)).toEqual(["  shift+enter,", "    ctrl+j  a new", "    line"]);
  });

  test("are wrapped as any other when they are not set in", () => {
    expect(rows("a  sentence with  blanks in it", 12)).toEqual(["a  sentence", "with  blanks", "in it"]);
  });

  test("are never too wide, and lose no character, whatever the width", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "  ", "漢", "\n") });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 40 }), (words, width) => {
        const made = hangingRows(words, width, 10_000);
        expect(made.every((row) => cellWidth(row) <= width)).toBe(true);
        expect(made.join("").replace(/\s/g, "")).toBe(words.replace(/\s/g, ""));
      }),
    );
  });
});

describe.skipIf(!zotIsBuilt)("/help", () => {
  test("is shown from its beginning, and what comes next is followed again", async () => {
    await using screen = await openScreen(offline(), { cols: 100, rows: 30 });
    await screen.shows("/help");
    await screen.enter("/help");
    await screen.until(() => screen.lines[0]?.startsWith("Keys") === true, "its head to be on top");
    expect(screen.text).not.toContain("/theme");
    await screen.enter("/session");
    await screen.shows(/^ {2}file /m);
    await screen.enter("/help");
    await screen.until(() => screen.lines[0]?.startsWith("Keys") === true, "its head to be on top");
    await screen.enter("say the next words");
    await screen.shows(/^the next words\b/m);
  });

  test("leaves the end followed where all of it fits", async () => {
    await using screen = await openScreen(offline(), { cols: 100, rows: 100 });
    await screen.shows("/help");
    await screen.enter("/help");
    await screen.shows(/^Keys$/m);
    await screen.settles();
    expect(screen.text).not.toContain("↓ end");
    expect(screen.text).toContain("zot 0");
  });
});
