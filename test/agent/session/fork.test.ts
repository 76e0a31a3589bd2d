import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Session } from "../../../src/agent/session/session.ts";
import { RawJson } from "../../../src/wire/raw-json.ts";
import { assistant, calls, type Home, linesOf, MODEL, result, testHome, textsOf, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

const USAGE = { input: 1, output: 1, reasoning: null, cacheRead: 0, cacheWrite: 0, costUsd: 1 };

/** one, A1, call, result, two, A2; state and usage change after each answer. */
function conversation(home: Home): Session {
  const session = home.store.create(MODEL);
  session.appendUser(user("one"));
  session.appendAssistant(assistant("A1"), { displayText: "shown" });
  session.appendUsage(USAGE);
  session.setState("todo", RawJson.parse('{"n":1}'));
  session.setState("other", RawJson.parse('"set"'));
  session.appendAssistant(calls("c"));
  session.appendResults([result("c", "R")], { activated: ["late"] });
  session.setState("todo", RawJson.parse('{"n":2}'));
  session.setState("other", null);
  session.appendUser(user("two"));
  session.appendAssistant(assistant("A2"));
  session.appendUsage(USAGE);
  session.setState("todo", RawJson.parse('{"n":3}'));
  session.rename("parent's name");
  return session;
}

describe("a fork", () => {
  test("holds messages, usage, tools and state as of its point", async () => {
    await using home = await testHome();
    using parent = conversation(home);
    const before = readFileSync(parent.path);
    const points: [at: number, texts: string[], todo: string | undefined, other: string | undefined, cost: number][] = [
      [0, [], undefined, undefined, 0],
      [1, ["one"], undefined, undefined, 0],
      [2, ["one", "shownless"], '{"n":1}', '"set"', 1],
      // A cut between a call and its result is moved behind the result.
      [3, ["one", "A1", "", "R"], '{"n":2}', undefined, 1],
      [4, ["one", "A1", "", "R"], '{"n":2}', undefined, 1],
      [6, ["one", "A1", "", "R", "two", "A2"], '{"n":3}', undefined, 2],
      [99, ["one", "A1", "", "R", "two", "A2"], '{"n":3}', undefined, 2],
    ];
    for (const [at, texts, todo, other, cost] of points) {
      using fork = await parent.fork(at);
      expect(textsOf(fork)).toEqual(texts.map((text) => (text === "shownless" ? "A1" : text)));
      expect(fork.states.get("todo")?.text).toBe(todo);
      expect(fork.states.get("other")?.text).toBe(other);
      expect(fork.cumulative.costUsd).toBe(cost);
      expect(fork.activatedTools.has("late")).toBe(texts.includes("R"));
      expect(fork.origin).toBe("forked");
      expect(fork.title).toBe(texts[0] ?? "");
      expect(fork.context()).toMatchObject({ id: fork.id, parent_id: parent.id, path: fork.path });
      expect(fork.context().fork_point ?? 0).toBe(fork.messages.length);
      readStrictly(readFileSync(fork.path));
    }
    using all = await parent.fork();
    expect(all.messages).toEqual(parent.messages);
    expect(all.displayText(all.messages[1] ?? user(""))).toBe("shown");
    expect(readFileSync(parent.path)).toEqual(before);
  });

  test("goes its own way, can be forked again, and is only a session when it is opened again", async () => {
    await using home = await testHome();
    using parent = conversation(home);
    const fork = await parent.fork(2);
    fork.appendUser(user("else"));
    parent.appendUser(user("three"));
    using again = await fork.fork(2);
    expect(textsOf(again)).toEqual(["one", "A1"]);
    expect(again.states.get("todo")?.text).toBe('{"n":1}');
    expect(again.context().parent_id).toBe(fork.id);
    fork.close();
    const opening = await home.store.byId(fork.id);
    if ("fault" in opening) throw new Error(opening.fault);
    using reopened = opening.session;
    expect(reopened.origin).toBe("resumed");
    expect(textsOf(reopened)).toEqual(["one", "A1", "else"]);
    expect(reopened.context()).toMatchObject({ parent_id: parent.id, fork_point: 2 });
  });

  test("goes on with the model that its parent has now", async () => {
    await using home = await testHome();
    using parent = conversation(home);
    parent.switchModel("p", "newer");
    using fork = await parent.fork(1);
    expect(fork.meta).toMatchObject({ provider: "p", model: "newer" });
    fork.close();
    const opening = await home.store.byId(fork.id);
    if ("fault" in opening) throw new Error(opening.fault);
    using reopened = opening.session;
    expect(reopened.meta).toEqual(fork.meta);
  });

  test("leaves nothing beside its file", async () => {
    await using home = await testHome();
    using parent = conversation(home);
    (await parent.fork()).close();
    const visible = readdirSync(dirname(parent.path)).filter((name) => !name.endsWith(".lock"));
    expect(visible).toHaveLength(2);
    expect(visible.every((name) => /^\d{8}-\d{6}-[0-9a-f]{8}\.jsonl$/.test(name))).toBe(true);
  });

  test("of a session without a file has none either, until something is said", async () => {
    await using home = await testHome();
    using parent = home.store.create(MODEL);
    using fork = await parent.fork();
    expect(fork.context().parent_id).toBe(parent.id);
    expect(readdirSync(home.dir.path)).toEqual([]);
    fork.appendUser(user("hello"));
    readStrictly(readFileSync(fork.path));
  });

  test("keeps what only another host understands, and leaves damage behind", async () => {
    await using home = await testHome();
    const path = join(home.dir.path, "theirs.jsonl");
    const meta = (model: string): string =>
      `{"type":"meta","meta":{"id":"theirs","cwd":"/w","model":"${model}","provider":"p","started":"2026-01-01T00:00:00Z","version":"0","goal":{"objective":"x"},"timezone":"Europe/Berlin"}}`;
    const at = '"time":"2026-01-01T00:00:00.5Z"';
    const kept = [
      `{"type":"message","message":{"role":"developer","content":[{"text":"now"}],${at},"meta":{"internal_context":"true"}}}`,
      `{"type":"message","message":{"role":"user","content":[{"text":"hi"}],${at}}}`,
      `{"type":"message","message":{"role":"assistant","content":[{"reasoning_id":"rs","encrypted_content":"b"},{"id":"c","name":"bash","arguments":{"n":9007199254740993},"thought_signature":"t"}],${at}}}`,
      `{"type":"message","message":{"role":"tool","content":[{"call_id":"c","content":[{"text":"ok"}],"is_error":false,"timing":{"duration":12}}],${at}}}`,
      '{"type":"usage","usage":{"input_tokens":1,"cost_usd":0},"cumulative":{"input_tokens":7,"cost_usd":0.5},"retry_lifecycle":[{"event":"request_failed"}]}',
    ];
    const last = `{"type":"message","message":{"role":"assistant","content":[{"text":"bye"}],${at}}}`;
    const damaged = [
      "",
      "[]",
      '{"type":"later"}',
      '{"type":"message","message":{"role":"user","content":[{"text":"odd"},{"x":1}]}}',
    ];
    writeFileSync(path, `${[meta("first"), ...kept, ...damaged, meta("second"), last].join("\n")}\n`);
    const opening = await home.store.open(path, MODEL);
    if ("fault" in opening) throw new Error(opening.fault);
    using parent = opening.session;
    expect(textsOf(parent)).toEqual(["hi", "", "ok", "odd", "bye"]);
    expect(parent.internalContext).toBe("now");
    using fork = await parent.fork();
    const rows = linesOf(fork.path);
    expect(rows.slice(1, 6)).toEqual(kept);
    readStrictly(readFileSync(fork.path));
    expect(fork.messages).toEqual(parent.messages);
    expect(fork.cumulative.input).toBe(7);
    const authors = fork.messages.flatMap((message) => (message.role === "assistant" ? [message.model] : []));
    expect(authors).toEqual(["first", "second"]);
    expect(rows[0]).toContain('"goal":{"objective":"x"}');

    using early = await parent.fork(1);
    const [first = ""] = linesOf(early.path);
    expect(first).not.toContain("goal");
    expect(first).toContain('"timezone":"Europe/Berlin"');
  });
});
