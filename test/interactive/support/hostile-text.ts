import fc from "fast-check";

const PIECES = [
  "plain words",
  " ",
  "\n",
  "\r",
  "\r\n",
  "\t",
  "\b\b",
  "\u0007",
  "\u000b",
  "\u007f",
  "\u001b",
  "\u001b[31m",
  "\u001b[38;2;1;2;3m",
  "\u001b[48:2::9:9:9m",
  "\u001b[8m",
  "\u001b[999;999H",
  "\u001b[2J",
  "\u001b[3J",
  "\u001b[?1049l",
  "\u001b[?25l",
  "\u001b[6n",
  "\u001b[c",
  "\u001b[>7u",
  "\u001bc",
  "\u001b(0",
  "\u001b#8",
  "\u001b7",
  "\u001bM",
  "\u001b]0;title\u0007",
  "\u001b]52;c;cHduZWQ=\u0007",
  "\u001b]52;c;cHduZWQ=\u001b\\",
  "\u001b]8;;https://example.org/\u0007link\u001b]8;;\u0007",
  "\u001b]8;;javascript:alert(1)\u0007",
  "\u001b]1337;File=:AAAA\u0007",
  "\u001bP+q544e\u001b\\",
  "\u001b_Gf=100;AAAA\u001b\\",
  "\u001b_pi:c\u0007",
  "\u001b^pm\u001b\\",
  "\u009b2J",
  "\u009d52;c;cHduZWQ=\u009c",
  "\u0090dcs\u009c",
  "\u0085",
  "漢字かな",
  "한국어",
  "각",
  "नमस्ते",
  "שלום",
  "مرحبا",
  "é́́́́́́́́́",
  "👩‍👩‍👧‍👦",
  "🇩🇪🇫🇷",
  "👍🏽",
  "❤️",
  "1️⃣",
  "\u202eabc\u202c",
  "\u2066x\u2069",
  "\u200b\u200d\u2060\ufeff",
  "\u{1d167}\u{1d165}",
  "\u{e0041}",
  "\ud800",
  "\udfff",
  "▸ ",
  "● ",
  "✓ ",
  "# head",
  "**bold** `code`",
  "```ts\nconst a = 1;\n```",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  "[x](javascript:alert(1)) &#27;[2J &#x9b;2J",
  "$$\\frac{a}{b}$$",
  "- one\n  - two",
  "> quote",
];

/** Text as a stranger might send it: everything that is known to harm a terminal, mixed with everything that is hard to measure. */
export const hostileText = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...PIECES) }, fc.string({ unit: "binary", maxLength: 12 })), {
    maxLength: 24,
  })
  .map((pieces) => pieces.join(""));

/** What may reach the terminal besides text: allowed SGR, OSC 8 with a safe address or its end, and the library's own marks. */
const HARMLESS_SEQUENCE = new RegExp(
  [
    "\\u001b\\[[0-9;:]*m",
    "\\u001b\\]8;;(?:(?:https?|file)://[\\u0021-\\u007e]*)?\\u0007",
    "\\u001b_pi:(?:c|fc|/fc)\\u0007",
    "^\\u001b\\]133;A\\u0007",
  ].join("|"),
  "g",
);

/** The first thing in a row that could do more than look like something; undefined when there is none. */
export function harmIn(row: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  const found = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.exec(row.replace(HARMLESS_SEQUENCE, ""));
  return found === null ? undefined : JSON.stringify(found[0]);
}
