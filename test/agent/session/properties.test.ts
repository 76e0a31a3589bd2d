import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { Session } from "../../../src/agent/session/session.ts";
import { RawJson } from "../../../src/wire/raw-json.ts";
import { assistant, calls, MODEL, result, testHome, user } from "./support/sessions.ts";
import { readStrictly } from "./support/strict-reader.ts";

/** One thing that a turn, an extension or the user does to a session. */
type Step =
  | { readonly do: "user" | "assistant" | "hidden" | "exchange" | "usage" | "model" | "name"; readonly text: string }
  | { readonly do: "state"; readonly extension: string; readonly state: string | null }
  | { readonly do: "compact"; readonly keep: number };

const text = fc.string({ unit: "binary", minLength: 1, maxLength: 30 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom("user", "assistant", "hidden", "exchange", "usage", "model", "name"),
    text,
  }),
  fc.record({
    do: fc.constant("state" as const),
    extension: fc.constantFrom("a", "b"),
    state: fc.option(fc.oneof(fc.json(), fc.constant('{"n":9007199254740993}'))),
  }),
  fc.record({ do: fc.constant("compact" as const), keep: fc.nat(5) }),
);

function apply(session: Session, taken: Step, index: number): void {
  switch (taken.do) {
    case "user":
      session.appendUser(user(taken.text));
      break;
    case "assistant":
      session.appendAssistant(assistant(taken.text));
      break;
    case "hidden":
      session.appendAssistant(assistant(taken.text), { displayText: taken.text.slice(1) });
      break;
    case "exchange":
      session.appendAssistant(calls(`${index}-a`, `${index}-b`));
      session.appendResults([result(`${index}-a`, taken.text), result(`${index}-b`)], { activated: [taken.text] });
      break;
    case "usage":
      session.appendUsage({
        input: index,
        output: 1,
        reasoning: index % 2 === 0 ? index : null,
        cacheRead: 0,
        cacheWrite: 0,
        costUsd: 1 / 3,
      });
      break;
    case "model":
      session.switchModel("p", taken.text);
      break;
    case "name":
      session.rename(taken.text);
      break;
    case "state":
      session.setState(taken.extension, taken.state === null ? null : RawJson.parse(taken.state));
      break;
    case "compact":
      session.compact({ summary: user("sum"), keep: taken.keep, tokensBefore: index });
      break;
  }
}

/** All that a session says, in a form to compare. */
function viewOf(session: Session): unknown {
  return {
    messages: session.messages,
    metas: session.messages.map((message) => session.metaOf(message)),
    states: statesOf(session),
    activated: [...session.activatedTools].sort(),
    cumulative: session.cumulative,
    title: session.title,
    meta: { ...session.meta, others: [...session.meta.others] },
  };
}

function statesOf(session: Session): unknown {
  return [...session.states].map(([extension, state]) => [extension, state.text]).sort();
}

test("whatever was done to a session, it reads back the same, and so do its forks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.nat(12), async (steps, at) => {
      await using home = await testHome();
      const session = home.store.create(MODEL);
      for (const [index, taken] of steps.entries()) apply(session, taken, index);
      const fork = await session.fork(at);
      const whole = await session.fork();
      expect(fork.messages).toEqual(session.messages.slice(0, fork.messages.length));
      expect(fork.messages.length).toBeGreaterThanOrEqual(Math.min(at, session.messages.length));
      expect(fork.messages.length - Math.min(at, session.messages.length)).toBeLessThanOrEqual(1);
      expect(fork.context().fork_point ?? 0).toBe(fork.messages.length);
      expect(whole.messages).toEqual(session.messages);
      expect(statesOf(whole)).toEqual(statesOf(session));
      expect(whole.cumulative).toEqual(session.cumulative);
      const written = [session, fork, whole].filter((one) => one.messages.length > 0);
      for (const one of [session, fork, whole]) one.close();
      for (const one of written) {
        const opening = await home.store.byId(one.id);
        if ("fault" in opening) throw new Error(opening.fault);
        expect(viewOf(opening.session)).toEqual(viewOf(one));
        opening.session.close();
      }
      const folder = dirname(session.path);
      if (written.length > 0) {
        for (const name of readdirSync(folder)) readStrictly(readFileSync(join(folder, name)));
      }
      expect(home.warnings).toEqual([]);
    }),
    { numRuns: 150 },
  );
}, 60_000);
