import { describe, expect, test } from "bun:test";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { assistant, linesOf, MODEL, testHome, textsOf, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

describe("a last row that its writer did not finish", () => {
  test("is mended by the next append, wherever it was cut", async () => {
    await using home = await testHome();
    const first = home.store.create(MODEL);
    first.appendUser(user("one"));
    first.appendAssistant(assistant("zwei €"));
    first.close();
    const whole = readFileSync(first.path);
    const lastRow = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
    for (let cut = lastRow; cut <= whole.length; cut += 1) {
      writeFileSync(first.path, whole.subarray(0, cut));
      const session = await home.store.continueNewest();
      if (session === undefined) throw new Error("nothing to continue");
      // Reading alone repairs nothing: another program may be looking at the file.
      expect(readFileSync(first.path).length).toBe(cut);
      session.appendUser(user("next"));
      session.close();
      readStrictly(readFileSync(first.path));
      const isWhole = cut >= whole.length - 1;
      const expected = isWhole ? ["one", "zwei €", "next"] : ["one", "next"];
      using again = await home.store.continueNewest();
      expect(again === undefined ? [] : textsOf(again)).toEqual(expected);
    }
    expect(home.warnings).toEqual([]);
  });

  test("may be of any length", async () => {
    await using home = await testHome();
    const first = home.store.create(MODEL);
    first.appendUser(user("one"));
    first.close();
    appendFileSync(first.path, `{"type":"message","message":{"role":"user","content":[{"text":"${"x".repeat(300_000)}`);
    const session = await home.store.continueNewest();
    session?.appendUser(user("next"));
    session?.close();
    readStrictly(readFileSync(first.path));
    expect(linesOf(first.path)).toHaveLength(3);
  });

  test("is mended too when another host tears it between two rows of ours", async () => {
    await using home = await testHome();
    using session = home.store.create(MODEL);
    session.appendUser(user("one"));
    appendFileSync(session.path, '{"type":"message","mess');
    session.appendUser(user("two"));
    appendFileSync(session.path, '{"type":"rename","title":"theirs"}');
    session.appendUser(user("three"));
    readStrictly(readFileSync(session.path));
    expect(linesOf(session.path)).toHaveLength(5);
  });

  test("of NULs, as a power cut leaves them, is taken away", async () => {
    await using home = await testHome();
    const first = home.store.create(MODEL);
    first.appendUser(user("one"));
    first.close();
    appendFileSync(first.path, Buffer.alloc(5_000));
    const session = await home.store.continueNewest();
    session?.appendUser(user("next"));
    session?.close();
    readStrictly(readFileSync(first.path));
  });

  test("gets its first row again when somebody emptied the file", async () => {
    await using home = await testHome();
    using session = home.store.create(MODEL);
    session.appendUser(user("one"));
    writeFileSync(session.path, "");
    session.appendUser(user("two"));
    readStrictly(readFileSync(session.path));
  });
});
