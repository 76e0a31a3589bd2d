import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { AgentWorld } from "./support/agent-world.ts";
import { chatOf } from "./support/chat.ts";
import { interceptor, PASS } from "./support/interceptor.ts";
import { openWorld } from "./support/open-world.ts";
import { jsonLines, ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Events and intercepts: before_agent_start, the replacement of the system prompt.

setDefaultTimeout(30_000);

const EVENT = "before_agent_start";
const DONE = { text: "done" };

/** The system prompt of request number `at`; undefined when it had none. */
function systemPromptIn({ server }: Pick<ZotWorld, "server">, at: number): string | undefined {
  return chatOf(server, at).find(({ role }) => role === "system" || role === "developer")?.text;
}

/** The questions that the extension was asked. */
function asked({ extensions }: Pick<ZotWorld, "extensions">, name: string) {
  return extensions.framesOf(name, "event_intercept").map((frame) => ({
    prompt: frame["system_prompt"],
    run: frame["agent_run_id"],
  }));
}

describe.skipIf(!zotIsBuilt)("before_agent_start, through the built zot", () => {
  test("087 the system prompt goes through the extensions in load order, in one run, and is used byte for byte", async () => {
    await using world = await ZotWorld.create([DONE, DONE]);
    writeFileSync(join(world.extensions.cwd, "AGENTS.md"), "be kind to the tests");
    await world.run(["-p", ...world.flags([]), "go"]);
    const base = systemPromptIn(world, 0);
    expect(base).toContain("be kind to the tests");

    const b = interceptor(
      world.extensions,
      "b",
      EVENT,
      '{"system_prompt": "  " + frame["system_prompt"] + "\\r\\n\\u20ac\\t\\n"}',
    );
    const a = interceptor(world.extensions, "a", EVENT, '{"system_prompt": "from a\\n"}');
    await world.run(["-p", ...world.flags([a, b]), "go"]);
    const [first, second] = [asked(world, "a"), asked(world, "b")];
    expect(first).toEqual([{ prompt: base, run: expect.any(String) }]);
    expect(second).toEqual([{ prompt: "from a\n", run: first[0]?.run }]);
    expect(systemPromptIn(world, 1)).toBe("  from a\n\r\n€\t\n");
    expect(world.extensions.framesOf("a", "event_intercept")[0]).toMatchObject({
      session_id: expect.any(String),
      cwd: world.extensions.cwd,
      provider: "openai",
      model: "scripted",
    });
  });

  test("088 a system prompt made empty is not sent; an answer without the key leaves it as it is", async () => {
    await using world = await ZotWorld.create([DONE, DONE, DONE, DONE]);
    await world.run(["-p", ...world.flags([]), "go"]);
    const keeps = interceptor(world.extensions, "keeps", EVENT, PASS);
    await world.run(["-p", ...world.flags([keeps]), "go"]);
    expect(systemPromptIn(world, 1)).toBe(systemPromptIn(world, 0) ?? "there is one");

    const empties = interceptor(world.extensions, "empties", EVENT, '{"system_prompt": ""}');
    await world.run(["-p", ...world.flags([empties]), "go"]);
    await world.run(["-p", ...world.flags([empties], "anthropic"), "go"]);
    expect(systemPromptIn(world, 2)).toBeUndefined();
    expect(world.server.requests[3]?.json).not.toHaveProperty("system");
    expect(asked(world, "empties").length).toBe(2);
  });

  test("089 the system prompt stays when an answer is no text, too long or a block: the user is told, the next extension asked", async () => {
    const MIB = 1024 * 1024;
    const faults = [
      ['{"system_prompt": 7}', "system_prompt must be a string"],
      ['{"system_prompt": None}', "system_prompt must be a string"],
      [`{"system_prompt": "x" * ${MIB - 1}}`, "system_prompt exceeds 1 MiB encoded limit"],
      ['{"block": True}', "extension returned a blocking response; startup hooks cannot block"],
    ] as const;
    await using world = await ZotWorld.create([DONE, ...faults.map(() => DONE), DONE]);
    await world.run(["-p", ...world.flags([]), "go"]);
    const base = systemPromptIn(world, 0);
    const next = interceptor(world.extensions, "next", EVENT, '{"system_prompt": frame["system_prompt"] + "!"}');
    for (const [at, [expression, fault]] of faults.entries()) {
      const bad = interceptor(world.extensions, `bad${at}`, EVENT, expression);
      const { stdout } = await world.run(["rpc", "--wire", "zot", ...world.flags([bad, next])], {
        stdin: '{"type":"prompt","message":"go"}\n',
      });
      expect(jsonLines(stdout)).toContainEqual({
        type: "ext_notify",
        extension: `bad${at}`,
        level: "warn",
        message: `before_agent_start: ${fault}; keeping current system prompt`,
      });
      expect(systemPromptIn(world, at + 1)).toBe(`${base}!`);
      expect(world.log(`bad${at}`)).toContain(fault);
    }
    // One character less fits, its quotes counted.
    const longest = interceptor(world.extensions, "longest", EVENT, `{"system_prompt": "x" * ${MIB - 2}}`);
    await world.run(["-p", ...world.flags([longest]), "go"]);
    expect(systemPromptIn(world, faults.length + 1)?.length).toBe(MIB - 2);
  });

  test("090 the system prompt is asked for once, and again from the base after clear, another session, reload, another model", async () => {
    await using world = await ZotWorld.create([1, 2, 3, 4, 5].map((n) => ({ text: `answer ${n}` })));
    const dir = interceptor(world.extensions, "a", EVENT, '{"system_prompt": "replaced"}');
    await using screen = await openWorld(world, dir);
    const say = async (prompt: string, answer: string): Promise<number> => {
      await screen.enter(prompt);
      await screen.shows(answer);
      return asked(world, "a").length;
    };
    expect(await say("first prompt", "answer 1")).toBe(1);
    expect(await say("second prompt", "answer 2")).toBe(1);

    await screen.enter("/clear");
    await screen.hides("second prompt");
    expect(await say("third prompt", "answer 3")).toBe(2);

    await screen.enter("/session fork");
    await screen.shows("This is a fork now");
    expect(await say("fourth prompt", "answer 4")).toBe(3);

    await screen.enter("/reload-ext");
    await screen.shows("reloaded: 1 stopped, 1 loaded (1 ready)");
    expect(await say("fifth prompt", "answer 5")).toBe(4);

    await screen.enter("/model offline/offline");
    await screen.shows(/^ offline ·/m);
    expect(await say("say OFFLINE-6 and no more", "\nOFFLINE-6")).toBe(5);

    const [first, ...others] = asked(world, "a");
    expect(others.map(({ prompt }) => prompt)).toEqual(others.map(() => first?.prompt));
    expect(first?.prompt).not.toContain("replaced");
    expect(new Set(asked(world, "a").map(({ run }) => run)).size).toBe(5);
    expect([0, 1, 2, 3, 4].map((at) => systemPromptIn(world, at))).toEqual(Array(5).fill("replaced"));
  });
});

test("091 a reset of the system prompt while an extension thinks about it voids its answer: it is asked again", async () => {
  await using world = await AgentWorld.create({
    turns: [DONE],
    extensions: (host) => {
      host.python(
        "a",
        `
        hello()
        emit("subscribe", intercept=["before_agent_start"])
        ready()
        for frame in frames():
            if frame["type"] != "event_intercept": continue
            while not os.path.exists("go"): time.sleep(0.01)
            emit("event_intercept_response", id=frame["id"], system_prompt="made of " + frame["system_prompt"])
        `,
      );
    },
  });
  const { agent, extensions } = world;
  await extensions.host.whenReady();
  const said = world.say("go");
  await extensions.frame("a", { type: "event_intercept", system_prompt: "the base prompt" });
  world.basePrompt = "another base prompt";
  agent.resetSystemPrompt();
  writeFileSync(join(extensions.home, "extensions", "a", "go"), "");
  await said;
  const questions = extensions.framesOf("a", "event_intercept");
  expect(questions.map((frame) => frame["system_prompt"])).toEqual(["the base prompt", "another base prompt"]);
  expect(new Set(questions.map((frame) => frame["agent_run_id"])).size).toBe(2);
  expect(world.server.requests.length).toBe(1);
  expect(systemPromptIn(world, 0)).toBe("made of another base prompt");
});
