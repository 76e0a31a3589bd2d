import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { assistant, calls, MODEL, result, testHome, textsOf, user } from "./support/sessions.ts";

const CALL_ROW = 3;

/** A session of three turns: meta, one, A1, two+call, result, A2, three, A3. */
async function written(): Promise<{ home: Awaited<ReturnType<typeof testHome>>; path: string; lines: Buffer[] }> {
  const home = await testHome();
  const session = home.store.create(MODEL);
  session.appendUser(user("ONE"));
  session.appendAssistant(assistant("A1"));
  session.appendAssistant(calls("c"));
  session.appendResults([result("c", "R")]);
  session.appendUser(user("THREE"));
  session.appendAssistant(assistant("A3"));
  session.close();
  const lines = readFileSync(session.path, "utf8").split("\n").slice(0, -1);
  return { home, path: session.path, lines: lines.map((line) => Buffer.from(line)) };
}

const ALL = ["ONE", "A1", "", "R", "THREE", "A3"];
const LF = Buffer.from("\n");

type Damage = (lines: Buffer[]) => Buffer[];

function inserted(...extra: (string | Buffer)[]): Damage {
  return (lines) => lines.toSpliced(4, 0, ...extra.map((line) => Buffer.from(line)));
}

const DAMAGES: readonly [name: string, damage: Damage, lines: string | undefined][] = [
  ["a cut line", (lines) => lines.toSpliced(4, 0, lines[4]?.subarray(0, -9) ?? LF), "line 5 "],
  ["NULs", inserted(Buffer.alloc(400)), "line 5 "],
  ["blank lines", inserted("", "  "), "lines 5-6 "],
  ["JSON that is no object", inserted("[]", "5", "null", '"x"'), "lines 5-8 "],
  ["an object without a type", inserted('{"a":1}'), "line 5 "],
  ["bytes that are no UTF-8", inserted(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])), "line 5 "],
  [
    "half a character",
    (lines) => lines.toSpliced(4, 0, Buffer.concat([lines[4]?.subarray(0, -4) ?? LF, Buffer.from([0xe2, 0x82])])),
    "line 5 ",
  ],
  ["a raw line break inside a string", inserted('{"type":"rename","title":"a', 'b"}'), "lines 5-6 "],
  ["a message without content", inserted('{"type":"message","message":{"role":"user","content":[]}}'), "line 5 "],
  ["a row of an unknown type", inserted('{"type":"from-the-future","x":1}'), undefined],
  ["CRLF line ends", (lines) => lines.map((line) => Buffer.concat([line, Buffer.from("\r")])), undefined],
  [
    "a byte order mark",
    ([first = LF, ...rest]) => [Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), first]), ...rest],
    undefined,
  ],
  ["damage far apart", (lines) => lines.flatMap((line) => [line, Buffer.from("x")]), "lines 2, 4, 6, 8, 10, 12, 14 "],
];

describe("a damaged session file", () => {
  test.each(DAMAGES)("with %s is read before and behind it, with one warning", async (_name, damage, lines) => {
    const { home, path, lines: good } = await written();
    await using _ = home;
    const bytes = Buffer.concat(damage(good).flatMap((line) => [line, LF]));
    writeFileSync(path, bytes);
    const session = await home.store.continueNewest();
    if (session === undefined) throw new Error("the session was not found");
    expect(textsOf(session)).toEqual(ALL);
    expect(home.warnings).toHaveLength(lines === undefined ? 0 : 1);
    if (lines !== undefined) expect(home.warnings[0]).toContain(`session ${path}: ${lines}`);
    session.appendUser(user("NEXT"));
    session.close();
    // Not one byte of it was taken away.
    expect(readFileSync(path).subarray(0, bytes.length)).toEqual(bytes);
    using again = await home.store.continueNewest();
    expect(again?.id).toBe(session.id);
    expect(again === undefined ? [] : textsOf(again)).toEqual([...ALL, "NEXT"]);
  });

  test("names a few of many damaged lines", async () => {
    const { home, path, lines } = await written();
    await using _ = home;
    const many = Array.from({ length: 1_000 }, () => ["broken", lines[1]?.toString() ?? ""]).flat();
    writeFileSync(path, `${[...lines.map(String), ...many].join("\n")}\n`);
    using session = await home.store.continueNewest();
    expect(session?.messages.length).toBe(6 + 1_000);
    expect(home.warnings).toHaveLength(1);
    expect(home.warnings[0]).toMatch(/ and 990 more are damaged;/);
    expect(home.warnings[0]?.length).toBeLessThan(400);
  });

  test("with bad bytes in a text keeps the rest of the text, and is named", async () => {
    const { home, path, lines } = await written();
    await using _ = home;
    const row = Buffer.from(lines[1] ?? "");
    row[row.indexOf("ONE")] = 0xff;
    writeFileSync(path, Buffer.concat(lines.toSpliced(1, 1, row).flatMap((line) => [line, LF])));
    using session = await home.store.continueNewest();
    expect(session === undefined ? [] : textsOf(session)).toEqual(["\uFFFDNE", ...ALL.slice(1)]);
    expect(home.warnings[0]).toContain(`session ${path}: line 2 is damaged`);
  });

  test("keeps calls and results paired when one of the two is lost", async () => {
    for (const [lost, expected] of [
      [CALL_ROW, ["ONE", "A1", "THREE", "A3"]],
      [CALL_ROW + 1, ["ONE", "A1", "", "tool call was aborted; no result recorded.", "THREE", "A3"]],
    ] as const) {
      const { home, path, lines } = await written();
      await using _ = home;
      writeFileSync(path, `${lines.map((line, index) => (index === lost ? "{{{" : line.toString())).join("\n")}\n`);
      using session = await home.store.continueNewest();
      expect(session === undefined ? [] : textsOf(session)).toEqual([...expected]);
    }
  });

  test("without its first row is the same session each time, and gets a new one when it is continued", async () => {
    const { home, path, lines } = await written();
    await using _ = home;
    writeFileSync(path, `${lines.slice(1).map(String).join("\n")}\n`);
    const ids: (string | undefined)[] = [];
    for (const text of [undefined, "NEXT", undefined]) {
      const session = await home.store.continueNewest();
      ids.push(session?.id);
      if (text !== undefined) session?.appendUser(user(text));
      session?.close();
    }
    expect(new Set(ids).size).toBe(1);
    expect(readFileSync(path, "utf8").split("\n").at(-3)).toStartWith('{"type":"meta"');
  });
});
