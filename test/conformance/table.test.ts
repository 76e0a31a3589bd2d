import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repoRoot } from "../support/zot.ts";
import { checksInTests, rowsOf } from "./support/table.ts";

const REFERENCE = join(repoRoot, "src", "wire", "README.md");
const TABLE = /(\| Check \| Behaviour \|\n\| --- \| --- \|\n)((?:\|.*\n)*)/;
/** Whoever has changed a title runs this file with it set. */
const MAY_WRITE = process.env["ZOT_WRITE_TABLE"] === "1";

test("every check from 001 to 125 is the title of one test", () => {
  const expected = Array.from({ length: 125 }, (_, index) => String(index + 1).padStart(3, "0"));
  expect(checksInTests().map(({ number }) => number)).toEqual(expected);
});

test("the table of the reference is the list of these titles (ZOT_WRITE_TABLE=1 writes it anew)", () => {
  const rows = rowsOf(checksInTests());
  const text = readFileSync(REFERENCE, "utf8");
  const current = MAY_WRITE ? text.replace(TABLE, (_, head: string) => `${head}${rows.join("\n")}\n`) : text;
  if (MAY_WRITE) writeFileSync(REFERENCE, current);
  expect(TABLE.exec(current)?.[2]?.trimEnd().split("\n")).toEqual(rows);
});
