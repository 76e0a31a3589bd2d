import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One check of extension-host.md §10. */
export interface Check {
  /** Three digits. */
  readonly number: string;
  /** What is described, if anything is, and what it does. */
  readonly behaviour: string;
}

const FOLDER = join(import.meta.dir, "..");
const LITERAL = String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\`(?:\\.|[^\`\\])*\``;
/** At the begin of a line, the way that the formatter leaves them: a description, its end, a test. */
const STATEMENT = new RegExp(
  String.raw`^describe[^"'\`\n]*\(\s*(?<subject>${LITERAL})|^(?<end>\}\));|^ *test[^"'\`\n]*\(\s*(?<title>${LITERAL})`,
  "gm",
);

/** The checks that the tests of this folder make, by number, as their titles say it. Throws at a title without a number. */
export function checksInTests(): Check[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".test.ts") && name !== "table.test.ts");
  const checks = files.flatMap((name) => checksIn(readFileSync(join(FOLDER, name), "utf8")));
  return checks.sort((a, b) => Number(a.number) - Number(b.number));
}

function checksIn(source: string): Check[] {
  const checks: Check[] = [];
  let subject = "";
  for (const { groups } of source.matchAll(STATEMENT)) {
    if (groups?.["title"] === undefined) {
      subject = groups?.["subject"] === undefined ? "" : `${textOf(groups["subject"])}: `;
      continue;
    }
    const title = textOf(groups["title"]);
    const [, number, behaviour] = /^(\d{3}) (.+)$/.exec(title) ?? [];
    if (number === undefined) throw new Error(`a test without a number: ${title}`);
    checks.push({ number, behaviour: `${subject}${behaviour}` });
  }
  return checks;
}

/** What a literal says. */
function textOf(literal: string): string {
  if (literal.includes("${")) throw new Error(`a title that is not written out: ${literal}`);
  return literal.slice(1, -1).replace(/\\(.)/g, "$1");
}

/** The rows of the table in the reference. */
export function rowsOf(checks: readonly Check[]): string[] {
  return checks.map(({ number, behaviour }) => `| ${number} | ${behaviour.replaceAll("|", String.raw`\|`)} |`);
}
