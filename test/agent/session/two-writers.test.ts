import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { lockPath, SessionLock } from "../../../src/agent/session/lock.ts";
import { Child } from "./support/children.ts";
import { assistant, MODEL, testHome, textsOf, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

async function savedSession(home: Awaited<ReturnType<typeof testHome>>): Promise<{ id: string; path: string }> {
  using session = home.store.create(MODEL);
  session.appendUser(user("one"));
  session.appendAssistant(assistant("A1"));
  return { id: session.id, path: session.path };
}

describe("two writers on one session", () => {
  test("are noticed: the second goes on in a fork, and neither writes into the other's file", async () => {
    await using home = await testHome();
    const parent = await savedSession(home);
    await using other = Child.run(home.dir.path, "hold", parent.path);
    expect(await other.line()).toBe(`resumed ${parent.path}`);
    const heldBytes = readFileSync(parent.path);

    const fork = await home.store.continueNewest();
    if (fork === undefined) throw new Error("nothing to continue");
    expect(fork.origin).toBe("forked");
    expect(fork.context()).toMatchObject({ parent_id: parent.id, fork_point: 3, path: fork.path });
    expect(fork.id).not.toBe(parent.id);
    expect(home.warnings).toEqual([
      `another zot has session ${parent.path} open; this one goes on in a fork of it: ${fork.path}`,
    ]);
    fork.appendUser(user("mine"));
    fork.close();
    expect(readFileSync(parent.path)).toEqual(heldBytes);
    readStrictly(readFileSync(fork.path));
    expect(textsOf(fork).slice(0, 2)).toEqual(["one", "A1"]);
    expect(textsOf(fork).at(-1)).toBe("mine");
    await other.finish();
    expect(readdirSync(dirname(parent.path)).sort()).toEqual([basename(parent.path), basename(fork.path)].sort());
  });

  test("are told apart however many come at once: one has it, the others fork", async () => {
    await using home = await testHome();
    const { path } = await savedSession(home);
    const children = Array.from({ length: 4 }, () => Child.run(home.dir.path, "hold", path));
    await using stack = new AsyncDisposableStack();
    for (const child of children) stack.use(child);
    const said = await Promise.all(children.map((child) => child.line()));
    expect(said.filter((line) => line.startsWith("resumed "))).toHaveLength(1);
    expect(said.filter((line) => line.startsWith("forked "))).toHaveLength(3);
    const files = new Set(said.map((line) => line.split(" ")[1] ?? ""));
    expect(files.size).toBe(4);
    await Promise.all(children.map((child) => child.finish()));
    for (const file of files) readStrictly(readFileSync(file));
    expect(readdirSync(dirname(path))).toHaveLength(4);
  }, 20_000);

  test("the lock of a killed process is free at once, and is tidied up by whoever comes next", async () => {
    await using home = await testHome();
    const { path } = await savedSession(home);
    await using other = Child.run(home.dir.path, "hold", path);
    await other.line();
    await other.kill();
    expect(existsSync(lockPath(path))).toBe(true);
    const unfinishedFork = join(dirname(path), ".20260101-000000-0123abcd.jsonl.tmp");
    writeFileSync(unfinishedFork, "half a fork");

    using unrelated = home.store.create(MODEL);
    unrelated.appendUser(user("new"));
    expect(existsSync(lockPath(path))).toBe(false);
    expect(existsSync(unfinishedFork)).toBe(false);
    expect(existsSync(lockPath(unrelated.path))).toBe(true);
    const again = await home.store.open(path, MODEL);
    if ("fault" in again) throw new Error(again.fault);
    using session = again.session;
    expect(session.origin).toBe("resumed");
  });

  test("one process cannot have it twice either", async () => {
    await using home = await testHome();
    const { path } = await savedSession(home);
    const first = await home.store.open(path, MODEL);
    const second = await home.store.open(path, MODEL);
    if ("fault" in first || "fault" in second) throw new Error("could not be opened");
    expect([first.session.origin, second.session.origin]).toEqual(["resumed", "forked"]);
    // The refusal must not have cost the first one its lock, as closing a file does with POSIX locks.
    await using other = Child.run(home.dir.path, "hold", path);
    expect(await other.line()).toStartWith("forked ");
    first.session.close();
    const third = await home.store.open(path, MODEL);
    if ("fault" in third) throw new Error(third.fault);
    using _second = second.session;
    using _third = third.session;
    expect(third.session.origin).toBe("resumed");
  });

  test("a name that is taken while a session is still empty is left to the other", async () => {
    await using home = await testHome();
    const path = join(home.dir.path, "both.jsonl");
    const openings = [await home.store.open(path, MODEL), await home.store.open(path, MODEL)];
    const [first, second] = openings.flatMap((opening) => ("session" in opening ? [opening.session] : []));
    if (first === undefined || second === undefined) throw new Error("could not be opened");
    using _first = first;
    using _second = second;
    first.appendUser(user("first"));
    second.appendUser(user("second"));
    expect(first.path).toBe(path);
    expect(second.path).not.toBe(path);
    expect(second.isSaved).toBe(true);
    expect(home.warnings).toHaveLength(1);
    readStrictly(readFileSync(first.path));
    readStrictly(readFileSync(second.path));
  });

  test("a lock that was given back can be taken again, and leaves no file", async () => {
    await using home = await testHome();
    const path = join(home.dir.path, "s.jsonl");
    const held = SessionLock.acquire(path);
    expect(SessionLock.acquire(path)).toBe("busy");
    if (!(held instanceof SessionLock)) throw new Error("no lock");
    held[Symbol.dispose]();
    held[Symbol.dispose]();
    expect(existsSync(lockPath(path))).toBe(false);
    const next = SessionLock.acquire(path);
    if (!(next instanceof SessionLock)) throw new Error("no lock");
    using _ = next;
    expect(SessionLock.acquire(path)).toBe("busy");
  });

  test("whoever waited for a lock whose file is removed on release takes the one that others see", async () => {
    await using home = await testHome();
    const path = join(home.dir.path, "s.jsonl");
    for (let round = 0; round < 5; round += 1) {
      const held = SessionLock.acquire(path);
      if (!(held instanceof SessionLock)) throw new Error("no lock");
      await using other = Child.run(home.dir.path, "lock", path);
      expect(await other.line()).toBe("waiting");
      held[Symbol.dispose]();
      expect(await other.line()).toBe("held");
      expect(SessionLock.acquire(path, 0)).toBe("busy");
      await other.finish();
      expect(existsSync(lockPath(path))).toBe(false);
    }
  });

  test("a folder that takes no lock says so", () => {
    expect(SessionLock.acquire("/dev/null/no/folder/s.jsonl")).toBe("impossible");
  });
});
