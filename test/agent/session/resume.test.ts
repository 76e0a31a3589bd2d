import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Session } from "../../../src/agent/session/session.ts";
import type { Usage } from "../../../src/llm/messages.ts";
import { RawJson } from "../../../src/wire/raw-json.ts";
import { assistant, calls, linesOf, MODEL, result, testHome, textsOf, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

const USAGE: Usage = { input: 10, output: 5, reasoning: null, cacheRead: 3, cacheWrite: 2, costUsd: 0.5 };

function opened(opening: { readonly session: Session } | { readonly fault: string }): Session {
  if ("fault" in opening) throw new Error(opening.fault);
  return opening.session;
}

describe("a session on disk", () => {
  test("stands where both upstream hosts look for it, for its user alone", async () => {
    await using home = await testHome();
    using session = home.store.create(MODEL);
    session.appendUser(user("hello"));
    const hash = createHash("sha256").update("/project").digest("hex").slice(0, 16);
    expect(dirname(session.path)).toBe(join(home.dir.path, "sessions", hash));
    expect(basename(session.path)).toMatch(/^\d{8}-\d{6}-[0-9a-f]{8}\.jsonl$/);
    expect(session.path).not.toContain(session.id.slice(0, 8));
    expect(statSync(session.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(session.path)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(linesOf(session.path)[0] ?? "")).toMatchObject({
      type: "meta",
      meta: { id: session.id, cwd: "/project", ...MODEL, version: "9.9.9" },
    });
  });

  test("comes back whole: messages, usage, state, tools, title, shown text", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.appendUser(user("one"));
    session.appendAssistant(calls("a", "b"));
    session.appendResults([result("a"), result("b")], { activated: ["deferred", "deferred"] });
    session.appendUsage({ ...USAGE, reasoning: 4 });
    session.appendUsage(USAGE);
    session.setState("todo", RawJson.parse('{"n":9007199254740993}'));
    session.appendAssistant(assistant("the password is 1234"), { displayText: "the password is ****" });
    session.appendAssistant(assistant("hidden"), { displayText: "" });
    session.rename("  My\n title ");
    session.close();
    readStrictly(readFileSync(session.path));

    using again = opened(await home.store.open(session.path, MODEL));
    expect(again.origin).toBe("resumed");
    expect(again.id).toBe(session.id);
    expect(again.messages).toEqual(session.messages);
    expect(again.messages).toHaveLength(5);
    expect(again.cumulative).toEqual({ input: 20, output: 10, reasoning: 4, cacheRead: 6, cacheWrite: 4, costUsd: 1 });
    expect(again.states.get("todo")?.text).toBe('{"n":9007199254740993}');
    expect([...again.activatedTools]).toEqual(["deferred"]);
    expect(again.title).toBe("My title");
    expect(again.messages.map((message) => again.displayText(message))).toEqual([
      undefined,
      undefined,
      undefined,
      "the password is ****",
      "",
    ]);
    expect(home.warnings).toEqual([]);
  });

  test("counts usage in whole numbers, and tells no reasoning from an unknown one", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.appendUser(user("one"));
    session.appendUsage({
      input: 1.5,
      output: Number.NaN,
      reasoning: 0,
      cacheRead: -1,
      cacheWrite: 1e21,
      costUsd: 1e-7,
    });
    session.close();
    readStrictly(readFileSync(session.path));
    using again = await home.store.continueNewest();
    expect(again?.cumulative).toEqual({
      input: 2,
      output: 0,
      reasoning: 0,
      cacheRead: 0,
      cacheWrite: Number.MAX_SAFE_INTEGER,
      costUsd: 1e-7,
    });
  });

  test("is continued by appending, never by rewriting", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.appendUser(user("one"));
    session.close();
    const before = readFileSync(session.path, "utf8");
    const again = await home.store.continueNewest();
    if (again === undefined) throw new Error("nothing to continue");
    expect(readFileSync(session.path, "utf8")).toBe(before);
    again.switchModel("other", "bigger");
    again.appendUser(user("two"));
    again.close();
    const after = readFileSync(session.path, "utf8");
    expect(after.startsWith(before)).toBe(true);
    expect(after.slice(before.length).split("\n").length - 1).toBe(2);
    using third = opened(await home.store.byId(session.id.slice(0, 6)));
    expect(third.meta).toMatchObject({ id: session.id, provider: "other", model: "bigger" });
    expect(textsOf(third)).toEqual(["one", "two"]);
  });

  test("leaves nothing behind when nothing was said", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.rename("only a name");
    expect(session.context()).toMatchObject({ id: session.id, cwd: "/project" });
    session.close();
    expect(existsSync(join(home.dir.path, "sessions"))).toBe(false);

    const cleared = home.store.create(MODEL);
    cleared.setState("todo", RawJson.of({ a: 1 }));
    expect(existsSync(cleared.path)).toBe(true);
    cleared.setState("todo", null);
    cleared.close();
    expect(readdirSync(dirname(cleared.path))).toEqual([]);
  });

  test("keeps state alone, and a name given before the first prompt", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.rename("named early");
    session.setState("todo", RawJson.of({ a: 1 }));
    session.close();
    readStrictly(readFileSync(session.path));
    using again = opened(await home.store.open(session.path, MODEL));
    expect(again.title).toBe("named early");
    expect(again.states.get("todo")?.text).toBe('{"a":1}');
  });

  test("stores state up to 262,144 bytes, and clears it on null", async () => {
    await using home = await testHome();
    using session = home.store.create(MODEL);
    const largest = RawJson.of("x".repeat(262_142));
    expect(session.setState("todo", largest)).toBe(true);
    expect(session.setState("todo", RawJson.of("x".repeat(262_143)))).toBe(false);
    expect(session.states.get("todo")).toBe(largest);
    expect(session.setState("deep", RawJson.parse(`${"[".repeat(9_999)}${"]".repeat(9_999)}`))).toBe(false);
    expect(session.setState("todo", RawJson.parse("null"))).toBe(true);
    expect([...session.states]).toEqual([]);
    expect(linesOf(session.path).at(-1)).toBe('{"type":"extension_state","extension":"todo","state":null}');
    readStrictly(readFileSync(session.path));
  });

  test("keeps a partial answer, but none with a call in it", async () => {
    await using home = await testHome();
    using session = home.store.create(MODEL);
    session.appendUser(user("go"));
    expect(session.appendAssistant(calls("a"), { isPartial: true })).toBe(false);
    expect(session.appendAssistant(assistant("half an ans"), { isPartial: true })).toBe(true);
    expect(session.appendAssistant({ ...assistant(""), content: [] })).toBe(false);
    expect(textsOf(session)).toEqual(["go", "half an ans"]);
    expect(linesOf(session.path)).toHaveLength(3);
  });

  test("preserves what only another host understands when its first row is replaced", async () => {
    await using home = await testHome();
    const path = join(home.dir.path, "theirs.jsonl");
    const goal = '"goal":{"objective":"x","token_budget":18446744073709551615},"plan":{"steps":[]}';
    writeFileSync(
      path,
      `{"type":"meta","meta":{"id":"theirs","cwd":"/w","model":"m","provider":"p","started":"2026-01-01T00:00:00.123456789+02:00","version":"0.1",${goal}}}\n` +
        '{"type":"message","message":{"role":"user","content":[{"text":"hi"}],"time":"2026-01-01T00:00:00Z"}}\n',
    );
    const session = opened(await home.store.open(path, MODEL));
    session.switchModel("offline", "rehearsal");
    session.close();
    const row = linesOf(path).at(-1) ?? "";
    expect(row).toContain(goal);
    expect(row).toContain('"started":"2026-01-01T00:00:00.123456789+02:00"');
    readStrictly(readFileSync(path));
  });

  test("is made at a path that is not there yet, and in an empty file", async () => {
    await using home = await testHome();
    for (const name of ["new/folder/s.jsonl", "empty.jsonl"]) {
      const path = join(home.dir.path, name);
      if (name === "empty.jsonl") writeFileSync(path, "");
      const session = opened(await home.store.open(path, MODEL));
      session.appendUser(user("hello"));
      session.close();
      readStrictly(readFileSync(path));
      using again = opened(await home.store.open(path, MODEL));
      expect(again.id).toBe(session.id);
      expect(textsOf(again)).toEqual(["hello"]);
    }
  });

  test("is not seen in a file that holds something else, which stays as it is", async () => {
    await using home = await testHome();
    const path = join(home.dir.path, "notes.txt");
    writeFileSync(path, "buy milk\nno newline at the end");
    const opening = await home.store.open(path, MODEL);
    expect(opening).toEqual({ fault: `session ${path}: there is no session in it` });
    expect(await home.store.open(home.dir.path, MODEL)).toEqual({ fault: `session ${home.dir.path}: not a file` });
    expect(readFileSync(path, "utf8")).toBe("buy milk\nno newline at the end");
    expect(readdirSync(home.dir.path)).toEqual(["notes.txt"]);
  });

  test("is found by the beginning of its id, also in another project, unless several begin so", async () => {
    await using home = await testHome();
    const ids: string[] = [];
    for (const cwd of ["/project", "/elsewhere", "/elsewhere"]) {
      const session = home.otherStore(cwd).create(MODEL);
      session.appendUser(user(`in ${cwd}`));
      session.close();
      ids.push(session.id);
    }
    const [here = "", there = ""] = ids;
    using first = opened(await home.store.byId(here.slice(0, 8)));
    expect(first.id).toBe(here);
    using second = opened(await home.store.byId(there));
    expect(second.id).toBe(there);
    expect(await home.store.byId("zzzz")).toEqual({ fault: "no session with the id zzzz" });
    expect(await home.store.byId("")).toHaveProperty("fault");

    const folder = dirname(first.path);
    for (const id of ["same-1", "same-2"]) {
      writeFileSync(
        join(folder, `20200101-000000-0000000${id.slice(-1)}.jsonl`),
        `{"type":"meta","meta":{"id":"${id}"}}\n`,
      );
    }
    expect(await home.store.byId("same-")).toEqual({
      fault: expect.stringMatching(/^several sessions have an id that begins with same-: same-\d, same-\d$/),
    });
  });
});
