import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SESSION_STATE_MAX_BYTES } from "../../src/wire/limits.ts";
import type { HostWorld } from "../support/host.ts";
import { until } from "../support/until.ts";
import { AgentWorld } from "./support/agent-world.ts";
import { resultsIn, toolsIn } from "./support/chat.ts";

// extension-host.md §10, Tools: what a result does to the conversation besides being told to the model.

setDefaultTimeout(30_000);

const SESSION_EVENTS = ["session_start", "session_opened", "session_switched", "session_forked"];
const DONE = { text: "done" };

/** Writes an extension with a tool that answers with the details that stand in its arguments, digit for digit. */
function keeper(world: HostWorld, name: string, tool: string): void {
  world.python(
    name,
    `
    hello(protocol_version=2)
    tool("${tool}")
    emit("subscribe", events=${JSON.stringify(SESSION_EVENTS)})
    ready()
    for line in sys.stdin:
        _trace.write(line)
        frame = json.loads(line)
        if frame["type"] == "shutdown": sys.exit(0)
        if frame["type"] == "tool_call":
            details = line[line.index('"details":') + len('"details":'):line.rindex("}}")]
            raw('{"type":"tool_result","id":"%s","content":"kept","details":%s}\\n' % (frame["id"], details))
    `,
  );
}

const keep = (details: string) => ({ calls: [{ name: "keep", raw: `{"details":${details}}` }] });

/** The line of the event about that conversation, as the extension has read it. */
async function eventLine(world: AgentWorld, extension: string, event: string, session: string): Promise<string> {
  const path = join(world.extensions.home, "extensions", extension, "received.ndjson");
  return await until(`${event} of ${session} in ${path}`, () => {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.find((line) => line.includes(`"event":"${event}"`) && line.includes(`"id":"${session}"`));
  });
}

test("070 a deferred tool is offered once a result activates it, and still after fork, compaction and resume", async () => {
  await using world = await AgentWorld.create({
    turns: [{ calls: [{ name: "load" }] }, DONE, DONE, DONE, DONE, DONE, DONE],
    extensions: (host) => {
      host.python(
        "a",
        `
        hello()
        tool("load")
        tool("t", deferred=True)
        ready()
        for frame in frames():
            if frame["type"] == "tool_call": result(frame, "loaded", activate_tools=["t", "nope"])
        `,
      );
    },
  });
  const { agent, server } = world;
  const offered = (): boolean[] => server.requests.map((_request, at) => toolsIn(server, at).has("t"));
  await world.say("load it");
  expect(offered()).toEqual([false, true]);
  expect([...agent.session.activatedTools]).toEqual(["t"]);
  expect(server.requests[1]?.body).not.toContain("nope");

  await world.open(await agent.session.fork());
  await world.say("in a fork");
  const summary = { role: "user", content: [{ type: "text", text: "a summary" }], time: 1 } as const;
  expect(agent.session.compact({ summary, keep: 0, tokensBefore: 1_000 })).toBe(true);
  await world.say("after a compaction");
  await resume(world);
  await world.say("after a resume");
  await world.open(await agent.session.fork());
  await world.say("in a fork of what was compacted");
  expect(offered()).toEqual([false, true, true, true, true, true]);

  await world.open(world.sessions.create({ provider: "openai", model: "fake" }));
  await world.say("in another conversation");
  expect(offered().at(-1)).toBe(false);
});

test("071 details become a row of the session, come back as state after reload, resume and fork, and never reach the model", async () => {
  const details = '{"a":1,"n":12345678901234567890,"private":"FOR-NOBODY-ELSE"}';
  await using world = await AgentWorld.create({
    turns: [keep(details), DONE, DONE],
    extensions: (host) => {
      keeper(host, "a", "keep");
      keeper(host, "b", "other");
    },
  });
  const { agent, server, extensions } = world;
  const { path, id } = agent.session;
  await world.say("keep it");
  expect(readFileSync(path, "utf8")).toContain(`{"type":"extension_state","extension":"a","state":${details}}\n`);

  const fork = await agent.session.fork();
  await extensions.host.reload();
  const heard = [["session_opened", id]];
  await resume(world);
  heard.push(["session_switched", id]);
  await world.open(fork);
  heard.push(["session_forked", fork.id], ["session_switched", fork.id]);
  for (const [event = "", session = ""] of heard) {
    expect(await eventLine(world, "a", event, session)).toContain(`"state":${details}`);
    expect(await eventLine(world, "b", event, session)).not.toContain('"state"');
  }
  await world.say("go on");
  expect(server.requests.length).toBe(3);
  // The model wrote the arguments; what it may not see is anything beyond them.
  const bodies = server.requests.map(({ body }) => body.split("FOR-NOBODY-ELSE").length - 1);
  expect(bodies).toEqual([0, 1, 1]);
  expect(resultsIn(server, 2)).toEqual(["kept"]);
});

test("072 details of null clear the state: the next event about the session has none", async () => {
  await using world = await AgentWorld.create({
    turns: [keep('{"a":1}'), DONE, keep("null"), DONE],
    extensions: (host) => keeper(host, "a", "keep"),
  });
  const { agent, extensions } = world;
  await world.say("keep it");
  const before = await agent.session.fork();
  await world.say("forget it");
  await extensions.host.reload();
  expect(await eventLine(world, "a", "session_opened", agent.session.id)).not.toContain('"state"');
  await resume(world);
  expect(await eventLine(world, "a", "session_switched", agent.session.id)).not.toContain('"state"');
  await world.open(before);
  expect(await eventLine(world, "a", "session_forked", before.id)).toContain('"state":{"a":1}');
});

test("073 details of one byte too many are not stored, the state before stays, and the model is told", async () => {
  const json = (bytes: number): string => `"${"x".repeat(bytes - 2)}"`;
  expect(SESSION_STATE_MAX_BYTES).toBe(262_144);
  await using world = await AgentWorld.create({
    turns: [keep(json(262_144)), DONE, keep(json(262_145)), DONE],
    extensions: (host) => keeper(host, "a", "keep"),
  });
  const { agent } = world;
  await world.say("as much as can be");
  expect(agent.session.states.get("a")?.text.length).toBe(262_144);
  await world.say("too much");
  expect(world.results.map(({ text }) => text)).toEqual(["kept", "kept\ntool result state could not be persisted"]);
  expect(agent.session.states.get("a")?.text.length).toBe(262_144);
  expect(readFileSync(agent.session.path, "utf8").split('{"type":"extension_state"').length - 1).toBe(1);
});

/** Leaves the open conversation for another one and comes back to it, as it is on disk. */
async function resume(world: AgentWorld): Promise<void> {
  const { path } = world.agent.session;
  await world.open(world.sessions.create({ provider: "openai", model: "fake" }));
  const opening = await world.sessions.open(path, { provider: "openai", model: "fake" });
  if (!("session" in opening)) throw new Error(opening.fault);
  await world.open(opening.session);
}
