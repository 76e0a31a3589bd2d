import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RawJson } from "../../../src/wire/raw-json.ts";
import { Child } from "./support/children.ts";
import { assistant, linesOf, MODEL, testHome, textsOf, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

describe("a session that cannot be saved", () => {
  test("goes on in memory, after one warning", async () => {
    await using home = await testHome();
    writeFileSync(join(home.dir.path, "sessions"), "a file where the folder should be");
    using session = home.store.create(MODEL);
    session.appendUser(user("one"));
    session.appendAssistant(assistant("A1"));
    session.setState("todo", RawJson.of(1));
    session.rename("name");
    session.switchModel("p", "m");
    session.appendUsage({ input: 1, output: 0, reasoning: null, cacheRead: 0, cacheWrite: 0, costUsd: 0 });
    expect(textsOf(session)).toEqual(["one", "A1"]);
    expect(session.isSaved).toBe(false);
    expect(session.context()).toEqual({ id: session.id, cwd: "/project" });
    expect(home.warnings).toEqual([
      `the session is not saved from here on: ${session.path}: not a directory; it goes on in memory`,
    ]);
    session.close();
    expect(session.isSaved).toBe(false);
    expect(await home.store.list()).toEqual([]);
  });

  test("because its folder was removed says so, instead of writing into nothing", async () => {
    await using home = await testHome();
    using session = home.store.create(MODEL);
    session.appendUser(user("one"));
    rmSync(dirname(session.path), { recursive: true });
    session.appendUser(user("two"));
    session.appendUser(user("three"));
    expect(home.warnings).toHaveLength(1);
    expect(home.warnings[0]).toContain("the file was removed while it was in use");
    expect(textsOf(session)).toEqual(["one", "two", "three"]);
  });

  test("because the disk is full keeps the rows that fitted, whole", async () => {
    await using home = await testHome();
    // 16 KiB a file, in blocks of 512 bytes; without the signal the limit is an error like a full disk.
    await using child = Child.runAfter("trap '' XFSZ; ulimit -f 32", home.dir.path, "fill");
    const [isSaved, messages, path = ""] = (await child.line()).split(" ");
    const warnings = await child.finish();
    expect([isSaved, messages]).toEqual(["false", "40"]);
    expect(warnings.trim().split("\n")).toHaveLength(1);
    expect(warnings).toContain("the session is not saved from here on");
    readStrictly(readFileSync(path));
    const session = await home.store.continueNewest();
    const saved = session?.messages.length ?? 0;
    expect(saved).toBeGreaterThan(5);
    expect(linesOf(path)).toHaveLength(saved + 1);
    session?.close();
  });

  test("because not even its first row fits leaves no file", async () => {
    await using home = await testHome();
    await using child = Child.runAfter("trap '' XFSZ; ulimit -f 0", home.dir.path, "fill");
    const [isSaved, messages, path = ""] = (await child.line()).split(" ");
    expect((await child.finish()).trim().split("\n")).toHaveLength(1);
    expect([isSaved, messages]).toEqual(["false", "40"]);
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  test("can be forked into one that is saved", async () => {
    await using home = await testHome();
    writeFileSync(join(home.dir.path, "sessions"), "");
    using session = home.store.create(MODEL);
    session.appendUser(user("one"));
    session.appendAssistant(assistant("A1"), { displayText: "shown" });
    session.setState("todo", RawJson.of(1));
    rmSync(join(home.dir.path, "sessions"));
    mkdirSync(join(home.dir.path, "sessions"));
    using fork = await session.fork(2);
    expect(fork.isSaved).toBe(true);
    readStrictly(readFileSync(fork.path));
    expect(textsOf(fork)).toEqual(["one", "A1"]);
    expect(fork.states.get("todo")?.text).toBe("1");
    fork.close();
    using again = await home.store.continueNewest();
    expect(again?.messages).toEqual([...session.messages]);
    expect(again?.context()).toMatchObject({ parent_id: session.id, fork_point: 2 });
  });

  test("stays in memory when it is closed too early", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.appendUser(user("one"));
    session.close();
    session.appendUser(user("late"));
    expect(linesOf(session.path)).toHaveLength(2);
    expect(home.warnings).toEqual([]);
  });
});
