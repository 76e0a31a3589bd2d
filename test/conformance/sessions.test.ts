import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Session } from "../../src/agent/session/session.ts";
import { readStrictly } from "../agent/session/support/strict-reader.ts";
import type { HostWorld, ReceivedFrame } from "../support/host.ts";
import type { Turn } from "../support/model-server.ts";
import { until } from "../support/until.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { AgentWorld } from "./support/agent-world.ts";
import { chatOf } from "./support/chat.ts";
import { openWorldWith } from "./support/open-world.ts";
import { ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Sessions, reload, shutdown, 105 to 108: what extensions are told of the conversation, and its file.

setDefaultTimeout(30_000);

/** Python, protocol 2: observes the conversation; its tool `keep_NAME` keeps what it is called with. */
const KEEPER = `
hello(protocol_version=2)
emit("subscribe", events=["session_start", "session_opened", "session_switched", "session_forked"])
tool("keep_" + NAME)
ready()
for frame in frames():
    if frame["type"] == "tool_call":
        result(frame, "kept", details=frame["args"])
`;

const keep = (name: string, args: object): Turn => ({ calls: [{ name: `keep_${name}`, args }] });
const TWO_TURNS: readonly Turn[] = [
  {
    calls: [
      { name: "keep_a", args: { n: 1 } },
      { name: "keep_b", args: { of: "b" } },
    ],
  },
  { text: "first" },
  keep("a", { n: 2 }),
  { text: "second" },
];
/** Messages of the first of them: prompt, calls, results, answer. */
const FIRST_TURN = 4;

/** The session events that it has read, in their order. */
function sessionEvents(extensions: HostWorld, name: string): ReceivedFrame[] {
  return extensions.framesOf(name, "event").filter(({ event }) => String(event).startsWith("session_"));
}

async function twoTurns(): Promise<AgentWorld> {
  const world = await AgentWorld.create({
    turns: TWO_TURNS,
    extensions: (host) => {
      for (const name of ["a", "b"]) host.python(name, KEEPER);
    },
  });
  await world.say("one");
  await world.say("two");
  return world;
}

/** What extensions are to be told about a fork behind the first turn. */
function told({ id, path }: Session, parent: string, cwd: string) {
  return { id, parent_id: parent, path, cwd, fork_point: FIRST_TURN };
}

describe.skipIf(!zotIsBuilt)("on the screen", () => {
  test("105 session_opened tells id, path and directory of the start-up session and the receiver's own state", async () => {
    await using world = await ZotWorld.create(TWO_TURNS);
    const dirs = ["a", "b", "stateless"].map((name) => world.extensions.python(name, KEEPER));
    for (const [prompt, ...flags] of [["one"], ["two", "-c"]] as const) {
      const { code } = await world.run(["-p", ...world.flags(dirs), ...flags, prompt]);
      expect(code).toBe(0);
    }
    const [meta] = world.sessionText.split("\n");
    const { id } = JSON.parse(meta ?? "").meta;
    const [file] = [...new Bun.Glob("sessions/*/*.jsonl").scanSync(world.zotHome)];
    const session = { id, path: join(world.zotHome, file ?? ""), cwd: world.extensions.cwd };

    await using _screen = await openWorldWith(world, ["-c"], ...dirs);
    const opened = { type: "event", event: "session_opened" };
    for (const [name, own] of [
      ["a", { state: { n: 2 } }],
      ["b", { state: { of: "b" } }],
      ["stateless", {}],
    ] as const) {
      expect(await world.extensions.frame(name, opened)).toEqual({ ...opened, session, ...own });
    }
  });
});

test("106 a fork is told as session_forked and then session_switched, with parent, fork point and the state of then", async () => {
  await using world = await twoTurns();
  const parent = world.agent.session.id;
  const fork = await world.agent.session.fork(FIRST_TURN);
  await world.open(fork);
  const session = told(fork, parent, world.extensions.cwd);
  for (const [name, state] of [
    ["a", { n: 1 }],
    ["b", { of: "b" }],
  ] as const) {
    await world.extensions.frame(name, { event: "session_switched" });
    expect(sessionEvents(world.extensions, name).slice(1)).toEqual([
      { type: "event", event: "session_forked", session, state },
      { type: "event", event: "session_switched", session, state },
    ]);
  }
});

test("107 an old fork that is opened again is told as session_switched alone", async () => {
  await using world = await twoTurns();
  const parent = world.agent.session.id;
  const fork = await world.agent.session.fork(FIRST_TURN);
  await world.open(fork);
  await world.open(world.sessions.create({ provider: "openai", model: "scripted" }));
  await world.extensions.frame("a", { event: "session_opened" });
  const before = sessionEvents(world.extensions, "a").length;

  const again = await world.sessions.byId(fork.id);
  if ("fault" in again) throw new Error(again.fault);
  await world.open(again.session);
  const switched = {
    type: "event",
    event: "session_switched",
    session: told(fork, parent, world.extensions.cwd),
    state: { n: 1 },
  };
  // A fork would be told first.
  await until("one more event", () => sessionEvents(world.extensions, "a").length > before);
  expect(sessionEvents(world.extensions, "a").slice(before)).toEqual([switched]);
});

const AT = '"time":"2026-01-01T00:00:00.123456789Z"';
const said = (role: string, text: string, more = ""): string => {
  return `{"role":"${role}","content":[{"text":"${text}"}],${AT}${more}}`;
};
const message = (text: string): string => `{"type":"message","message":${text}}`;

/** A conversation as zut writes it, compacted, with the state of two extensions. */
function zutSession(cwd: string): string {
  const meta = {
    ...{ id: "5e3f", cwd, model: "scripted", provider: "openai", started: "2026-01-01T00:00:00Z", version: "0.9" },
    ...{ timezone: "UTC", timezone_offset: "+00:00", goal: { objective: "keep me", status: "active" } },
  };
  const context = said("developer", "the hidden context", ',"meta":{"internal_context":"true"}');
  const summary = said("user", "the summary", ',"meta":{"compaction":"true","tokens_before":"9000"}');
  return [
    JSON.stringify({ type: "meta", meta }),
    message(said("user", "the old prompt")),
    message(said("assistant", "the old answer")),
    '{"type":"extension_state","extension":"a","state":{"n":12345678901234567890}}',
    '{"type":"extension_state","extension":"unknown","state":[1]}',
    '{"type":"usage","usage":{"input_tokens":5,"cost_usd":0.25},"cumulative":{"input_tokens":5,"cost_usd":0.25}}',
    `{"type":"compaction","messages":[${context},${summary},${said("assistant", "the kept answer")}],"cumulative":{"input_tokens":6,"cost_usd":0.5}}`,
    '{"type":"rename","title":"a title","generated":true}',
    "",
  ].join("\n");
}

describe.skipIf(!zotIsBuilt)("a session file", () => {
  test("108 of zut with compaction and extension state loads, and what zot writes a strict reader takes", async () => {
    await using world = await ZotWorld.create([keep("a", { n: 2 }), { text: "the new answer" }]);
    const dir = world.extensions.python("a", KEEPER);
    const path = join(world.zotHome, "sessions", "of-zut.jsonl");
    mkdirSync(dirname(path), { recursive: true });
    const before = zutSession(world.extensions.cwd);
    writeFileSync(path, before);
    readStrictly(Buffer.from(before));

    const { code, stdout, stderr } = await world.run([
      "-p",
      ...world.flags([dir]),
      "--session",
      path,
      "the new prompt",
    ]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "the new answer\n", stderr: "" });
    const texts = chatOf(world.server, 0).map(({ text }) => text);
    expect(texts.slice(1, 3)).toEqual(["the summary", "the kept answer"]);
    expect(texts.join("\n")).not.toContain("the old");
    expect(texts.at(-1)).toContain("the new prompt");
    const raw = readFileSync(join(dir, "received.ndjson"), "utf8");
    expect(raw).toContain('"state":{"n":12345678901234567890}');
    expect(await world.extensions.frame("a", { event: "session_start" })).toMatchObject({
      session: { id: "5e3f", path },
    });

    const after = readFileSync(path, "utf8");
    expect(after).toStartWith(before);
    readStrictly(Buffer.from(after));
    const types = after
      .slice(before.length)
      .trimEnd()
      .split("\n")
      .map((row) => JSON.parse(row).type);
    expect(types).toContain("extension_state");

    // One of our own from its first row on.
    world.server.push(keep("a", { n: 3 }), { text: "done" });
    expect((await world.run(["-p", ...world.flags([dir]), "a prompt"])).code).toBe(0);
    const [own] = [...new Bun.Glob("sessions/*/*.jsonl").scanSync(world.zotHome)];
    readStrictly(readFileSync(join(world.zotHome, own ?? "")));
  });
});
