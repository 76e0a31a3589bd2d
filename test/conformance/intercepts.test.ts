import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { INTERCEPT_DEADLINE_MS } from "../../src/wire/limits.ts";
import { ManualTimers } from "../support/manual-timers.ts";
import { until } from "../support/until.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { AgentWorld } from "./support/agent-world.ts";
import { resultsIn } from "./support/chat.ts";
import { interceptor, PASS } from "./support/interceptor.ts";
import { openWorldWith } from "./support/open-world.ts";
import { ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Events and intercepts: the intercept of a tool call.

setDefaultTimeout(30_000);

/** TypeScript on the SDK: a tool `echo` that answers with its arguments, digit for digit. */
const ECHO = `
import { extension } from "zot/ext";
const ext = extension({ name: "echo", version: "1.0.0" });
ext.tool("echo", { description: "gives its arguments back", parameters: {} }, (_args, { rawArguments }) => rawArguments);
await ext.run();
`;

function echo(world: ZotWorld): string {
  return world.extensions.files("echo", {
    "index.ts": ECHO,
    "extension.json": { name: "echo", version: "1.0.0", exec: "./index.ts" },
  });
}

const callEcho = (raw: string) => ({ calls: [{ name: "echo", raw }] });
const DONE = { text: "done" };

describe.skipIf(!zotIsBuilt)("the intercept of a tool call, through the built zot", () => {
  test("076 a blocked tool call does not run, the model learns why, and the turn goes on", async () => {
    await using world = await ZotWorld.create([
      {
        calls: ["one", "two", "three"].map((word) => ({
          name: "bash",
          args: { command: `echo ${word} | tee ${word}` },
        })),
      },
      { text: "understood" },
    ]);
    const guard = interceptor(
      world.extensions,
      "guard",
      "tool_call",
      `{"block": True, "reason": "not one"} if "one" in frame["tool_args"]["command"] else
       {"block": True, "reason": ""} if "two" in frame["tool_args"]["command"] else {}`,
    );
    const { code, stdout } = await world.run(["-p", ...world.flags([guard]), "go"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "understood\n" });
    const [one, two, three] = resultsIn(world.server, 1);
    expect([one, two]).toEqual(["not one", "tool call refused by extension guard"]);
    expect(three).toContain("three");
    expect([...new Bun.Glob("*").scanSync(world.extensions.cwd)].sort()).toEqual(["three"]);
  });

  test("077 a tool call is rewritten by one after the other in load order; the transcript keeps what the model wrote", async () => {
    const [original, byB] = ['{"n":12345678901234567890}', '{"n":98765432109876543210,"by":"b"}'];
    await using world = await ZotWorld.create([callEcho(original), DONE]);
    const b = interceptor(world.extensions, "b", "tool_call", `{"modified_args": json.loads('${byB}')}`);
    const a = interceptor(world.extensions, "a", "tool_call", '{"modified_args": {"n": 2, "by": "a"}}');
    const c = interceptor(world.extensions, "c", "tool_call", PASS);
    await world.run(["-p", ...world.flags([a, b, c, echo(world)]), "go"]);
    const asked = (name: string) =>
      world.extensions.framesOf(name, "event_intercept").map((frame) => frame["tool_args"]);
    expect([asked("a"), asked("b")]).toEqual([[JSON.parse(original)], [{ n: 2, by: "a" }]]);
    expect(resultsIn(world.server, 1)).toEqual([byB]);
    expect(world.sessionText).toContain(`"arguments":${original}`);
    expect(world.server.requests[1]?.body).toContain(JSON.stringify(original));
    // Observers see the original, too.
    expect(world.extensions.framesOf("b", "event").map((frame) => frame["tool_args"])).toEqual([JSON.parse(original)]);
  });

  test("078 a tool call that the first extension blocks is no question for the second", async () => {
    await using world = await ZotWorld.create([callEcho("{}"), DONE]);
    const a = interceptor(world.extensions, "a", "tool_call", '{"block": True, "modified_args": {"ignored": 1}}');
    const b = interceptor(world.extensions, "b", "tool_call", PASS);
    await world.run(["-p", ...world.flags([a, b, echo(world)]), "go"]);
    expect(world.extensions.framesOf("a", "event_intercept").length).toBe(1);
    expect(world.extensions.framesOf("b", "event_intercept")).toEqual([]);
    expect(resultsIn(world.server, 1)).toEqual(["tool call refused by extension guard"]);
  });

  test("079 a tool call keeps its arguments when modified_args is no object, and the log tells", async () => {
    for (const wrong of ["5", "[1]", '"x"', "true"]) {
      await using world = await ZotWorld.create([callEcho('{"kept":1}'), DONE]);
      const a = interceptor(world.extensions, "a", "tool_call", `{"modified_args": json.loads('${wrong}')}`);
      await world.run(["-p", ...world.flags([a, echo(world)]), "go"]);
      expect(resultsIn(world.server, 1)).toEqual(['{"kept":1}']);
      expect(world.log("a")).toContain("intercept tool_call: modified_args is not a JSON object; ignored");
    }
  });

  test("081 a tool call is confirmed as it will run, after the extensions", async () => {
    await using world = await ZotWorld.create([
      { calls: [{ name: "bash", args: { command: "echo as-the-model-wrote-it" } }] },
      DONE,
    ]);
    const a = interceptor(world.extensions, "a", "tool_call", '{"modified_args": {"command": "echo as-it-will-run"}}');
    await using screen = await openWorldWith(world, ["--no-yolo"], a);
    await screen.enter("go");
    await screen.shows("may bash run?");
    const from = screen.lines.findIndex((line) => line.includes("may bash run?"));
    const dialog = screen.lines.slice(from).join("\n");
    expect(dialog).toContain("echo as-it-will-run");
    expect(dialog).not.toContain("as-the-model-wrote-it");
    // A key that comes on the heels of another is no answer to a question that nobody has read yet.
    const answered = screen.hides("may bash run?");
    const typing = setInterval(() => screen.type("y"), 500);
    await answered.finally(() => clearInterval(typing));
    await screen.shows("done");
    expect(resultsIn(world.server, 1)[0]).toContain("as-it-will-run");
  });
});

test("080 a silent interceptor has allowed the call after 5 s, and the log tells", async () => {
  const timers = new ManualTimers();
  await using world = await AgentWorld.create({
    turns: [{ calls: [{ name: "bash", args: { command: "echo it ran" } }] }, DONE],
    host: { timers },
    extensions: (host) => {
      host.python("a", 'hello()\nemit("subscribe", intercept=["tool_call"])\nready()\nidle()');
    },
  });
  await world.extensions.host.whenReady();
  const said = world.say("go");
  await until("the question", () => world.extensions.framesOf("a", "event_intercept")[0]);
  expect(INTERCEPT_DEADLINE_MS).toBe(5_000);
  timers.pass(4_999);
  expect(timers.running).toBe(1);
  expect(world.results).toEqual([]);
  timers.pass(1);
  expect(await said).toMatchObject({ kind: "completed", text: "done" });
  expect(world.results[0]?.text).toContain("it ran");
  expect(world.extensions.log("a")).toContain("[zot] intercept tool_call timed out; allowing\n");
});
