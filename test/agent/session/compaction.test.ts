import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "../../../src/agent/session/session.ts";
import { RawJson } from "../../../src/wire/raw-json.ts";
import { assistant, calls, type Home, MODEL, result, testHome, textsOf, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

const TIME = '"time":"2026-01-01T00:00:00Z"';
const META =
  '{"type":"meta","meta":{"id":"z","cwd":"/w","model":"m","provider":"p","started":"2026-01-01T00:00:00Z","version":"0"}}';

function said(role: string, text: string, more = ""): string {
  return `{"role":"${role}","content":[{"text":"${text}"}],${TIME}${more}}`;
}

async function zutSession(home: Home, ...rows: string[]): Promise<Session> {
  const path = join(home.dir.path, `${rows.length}.jsonl`);
  writeFileSync(path, `${[META, ...rows].join("\n")}\n`);
  readStrictly(readFileSync(path));
  const opening = await home.store.open(path, MODEL);
  if ("fault" in opening) throw new Error(opening.fault);
  return opening.session;
}

const message = (text: string): string => `{"type":"message","message":${text}}`;

describe("a compaction row", () => {
  test("of zut replaces what stands before it, and its internal context is for the model alone", async () => {
    await using home = await testHome();
    const context = (text: string): string => said("developer", text, ',"meta":{"internal_context":"true"}');
    const summary = said(
      "user",
      "## Context Summary (compacted)",
      ',"meta":{"compaction":"true","tokens_before":"9000"},"added_tool_names":["a","b"]',
    );
    using session = await zutSession(
      home,
      message(said("user", "old")),
      '{"type":"extension_state","extension":"todo","state":{"n":1}}',
      '{"type":"usage","cumulative":{"input_tokens":5,"cost_usd":0.25}}',
      message(context("stale")),
      `{"type":"compaction","messages":[${context("then")},${summary},${said("assistant", "kept")}],"cumulative":{"input_tokens":6,"cost_usd":0.5}}`,
      message(said("user", "new")),
      message(context("now")),
    );
    expect(textsOf(session)).toEqual(["## Context Summary (compacted)", "kept", "new"]);
    expect(session.internalContext).toBe("now");
    expect(session.metaOf(session.messages[0] ?? user(""))).toEqual({ compaction: "true", tokens_before: "9000" });
    expect([...session.activatedTools]).toEqual(["a", "b"]);
    expect(session.states.get("todo")?.text).toBe('{"n":1}');
    expect(session.cumulative.input).toBe(6);
    // The name of a conversation is what it began with.
    expect(session.title).toBe("old");
    expect(home.warnings).toEqual([]);
  });

  test("without messages empties the transcript", async () => {
    await using home = await testHome();
    for (const row of [
      '{"type":"compaction"}',
      '{"type":"compaction","messages":null}',
      '{"type":"compaction","messages":[]}',
    ]) {
      using session = await zutSession(
        home,
        message(said("developer", "stale", ',"meta":{"internal_context":"true"}')),
        message(said("user", "old")),
        row,
        message(said("user", row.length.toString())),
      );
      expect(textsOf(session)).toEqual([row.length.toString()]);
      expect(session.internalContext).toBeUndefined();
    }
  });

  test("with a damaged message keeps the others and is named", async () => {
    await using home = await testHome();
    const path = join(home.dir.path, "damaged.jsonl");
    writeFileSync(path, `${META}\n{"type":"compaction","messages":[${said("user", "a")},5,${said("user", "b")}]}\n`);
    const opening = await home.store.open(path, MODEL);
    if ("fault" in opening) throw new Error(opening.fault);
    using session = opening.session;
    expect(textsOf(session)).toEqual(["a", "b"]);
    expect(home.warnings[0]).toContain("line 2 ");
  });

  test("of ours keeps the end of the transcript, whole pairs, shown texts and tools", async () => {
    await using home = await testHome();
    const session = home.store.create(MODEL);
    session.appendUser(user("one"));
    session.appendAssistant(calls("c"));
    session.appendResults([result("c", "R")], { activated: ["late"] });
    session.appendAssistant(assistant("secret"), { displayText: "****" });
    expect(session.compact({ summary: { ...user("x"), content: [] }, keep: 2, tokensBefore: 1 })).toBe(false);
    expect(session.compact({ summary: user("sum"), keep: 2, tokensBefore: 1234 })).toBe(true);
    session.appendUser(user("two"));
    const expected = ["sum", "", "R", "secret", "two"];
    expect(textsOf(session)).toEqual(expected);
    session.close();
    readStrictly(readFileSync(session.path));
    using again = await home.store.continueNewest();
    if (again === undefined) throw new Error("nothing to continue");
    expect(textsOf(again)).toEqual(expected);
    expect(again.metaOf(again.messages[0] ?? user(""))).toEqual({ compaction: "true", tokens_before: "1234" });
    expect(again.displayText(again.messages[3] ?? user(""))).toBe("****");
    expect([...again.activatedTools]).toEqual(["late"]);
    expect(again.title).toBe("one");
  });

  test("can be forked inside and behind, with the state that was set before it", async () => {
    await using home = await testHome();
    using session = home.store.create(MODEL);
    session.appendUser(user("one"));
    session.setState("todo", RawJson.of(1));
    session.appendUsage({ input: 1, output: 1, reasoning: null, cacheRead: 0, cacheWrite: 0, costUsd: 1 });
    session.appendAssistant(assistant("A1"));
    session.appendUser(user("two"));
    session.compact({ summary: user("sum"), keep: 2, tokensBefore: 1 });
    session.setState("todo", RawJson.of(2));
    session.appendUser(user("three"));
    for (const [at, texts] of [
      [0, []],
      [1, ["sum"]],
      [2, ["sum", "A1"]],
      [3, ["sum", "A1", "two"]],
      [4, ["sum", "A1", "two", "three"]],
    ] as const) {
      using fork = await session.fork(at);
      expect(textsOf(fork)).toEqual([...texts]);
      expect(fork.states.get("todo")?.text).toBe(at < 3 ? "1" : "2");
      expect(fork.cumulative.costUsd).toBe(1);
      readStrictly(readFileSync(fork.path));
    }
  });
});
