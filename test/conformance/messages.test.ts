import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { zotIsBuilt } from "../support/zot.ts";
import { chatOf, resultsIn } from "./support/chat.ts";
import { interceptor, PASS } from "./support/interceptor.ts";
import { openWorld, openWorldWith } from "./support/open-world.ts";
import { jsonLines, ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Events and intercepts: turn_start and assistant_message. Driven through the built zot.

setDefaultTimeout(30_000);

const DONE = { text: "done" };
const MARK = "\n[extension context truncated]";

describe.skipIf(!zotIsBuilt)("the intercept of a turn, through the built zot", () => {
  test("082 a blocked turn sends no request, every surface tells the reason, and print fails", async () => {
    await using world = await ZotWorld.create([DONE]);
    const dir = interceptor(world.extensions, "a", "turn_start", '{"block": True, "reason": "not on Sundays"}');
    const flags = world.flags([dir]);
    const print = await world.run(["-p", ...flags, "go"]);
    expect({ code: print.code, stdout: print.stdout }).toEqual({ code: 1, stdout: "" });
    expect(print.stderr).toContain("turn blocked by a: not on Sundays");

    const ended = { type: "turn_end", stop: "error", error: "not on Sundays" };
    const json = await world.run(["--json", ...flags, "go"]);
    expect(json.code).toBe(1);
    expect(jsonLines(json.stdout)).toContainEqual(ended);
    const rpc = await world.run(["rpc", "--wire", "zot", ...flags], { stdin: '{"type":"prompt","message":"go"}\n' });
    expect(jsonLines(rpc.stdout)).toContainEqual(ended);

    await using screen = await openWorld(world, dir);
    await screen.enter("go");
    await screen.shows("turn blocked by a: not on Sundays");
    expect(world.server.requests).toEqual([]);
  });

  test("083 context for a turn is joined in load order, 16 KiB at most, for this request alone", async () => {
    const call = { calls: [{ name: "bash", args: { command: "true" } }] };
    await using world = await ZotWorld.create([call, DONE, DONE]);
    const b = interceptor(world.extensions, "b", "turn_start", '{"context": "  SAID-BY-B\\n"}', 2);
    const a = interceptor(world.extensions, "a", "turn_start", '{"context": "SAID-BY-A"}', 2);
    await world.run(["-p", ...world.flags([a, b]), "go"]);
    const contexts = (at: number) =>
      chatOf(world.server, at).flatMap(({ text }) => text.split("[Extension context]\n").slice(1));
    expect([contexts(0), contexts(1)]).toEqual(Array(2).fill(["[a]\nSAID-BY-A\n\n[b]\nSAID-BY-B"]));
    expect(chatOf(world.server, 1).at(-1)?.text).toContain("SAID-BY-B");
    expect(world.sessionText).not.toContain("SAID-BY");

    // Three bytes a character, so that no cut is right by chance.
    const long = interceptor(world.extensions, "longer", "turn_start", '{"context": "\\u20ac" * 6667}', 2);
    await world.run(["-p", "-c", ...world.flags([long]), "go on"]);
    const [cut = "", ...more] = contexts(2);
    expect(more).toEqual([]);
    const bytes = Buffer.byteLength(cut);
    expect(bytes).toBeLessThanOrEqual(16_384);
    expect(bytes).toBeGreaterThan(16_384 - 3);
    expect(cut.slice(cut.indexOf("\n") + 1)).toMatch(new RegExp(`^€+${RegExp.escape(MARK)}$`));
    expect(world.server.requests[2]?.body).not.toContain("SAID-BY");
    expect(world.sessionText).not.toContain("€");
  });
});

describe.skipIf(!zotIsBuilt)("the intercept of an answer, through the built zot", () => {
  const SECRET = "the key is hunter2";

  test("084 a replaced answer is all that readers see, not even pieces of the old one; transcript and model keep that", async () => {
    const pieces = { text: ["the key", " is hun", "ter2"], calls: [{ name: "bash", args: { command: "true" } }] };
    await using world = await ZotWorld.create([pieces, DONE, pieces, DONE, pieces, DONE]);
    const a = interceptor(
      world.extensions,
      "a",
      "assistant_message",
      '{"replace_text": "the key is [hidden]" if "hunter2" in frame["text"] else ""}',
    );
    const json = await world.run(["--json", ...world.flags([a]), "go"]);
    const events = jsonLines(json.stdout);
    expect(json.stdout).not.toMatch(/hun|ter2/);
    expect(events.filter(({ type }) => type === "text_delta")).toEqual([
      { type: "text_delta", delta: "the key is [hidden]" },
      { type: "text_delta", delta: "done" },
    ]);
    expect(events.find(({ type }) => type === "assistant_message")).toMatchObject({
      content: [{ type: "text", text: "the key is [hidden]" }, { type: "tool_call" }],
    });
    const observed = world.extensions.framesOf("a", "event").map((frame) => frame["text"]);
    expect(observed).toEqual(["the key is [hidden]", "done"]);
    expect(chatOf(world.server, 1)).toContainEqual({ role: "assistant", text: SECRET });
    expect(world.sessionText).toContain(SECRET);
    expect(world.sessionText).toContain('"display_text":"the key is [hidden]"');

    const stream = await world.run(["-p", "--stream", ...world.flags([a]), "go"]);
    expect(stream.stdout).toBe("the key is [hidden]\ndone\n");

    await using screen = await openWorld(world, a);
    await screen.enter("go");
    await screen.shows("the key is [hidden]");
    await screen.shows("done");
    expect(screen.output).not.toMatch(/hun|ter2/);

    await using reopened = await openWorldWith(world, ["-c"], a);
    await reopened.shows("the key is [hidden]");
    expect(reopened.output).not.toMatch(/hun|ter2/);
  });

  test("085 a hidden answer shows nothing but the reason, and its tool calls still run", async () => {
    const answer = { text: ["the key", " is hun", "ter2"], calls: [{ name: "bash", args: { command: "echo ran" } }] };
    await using world = await ZotWorld.create([answer, DONE, answer, DONE]);
    const a = interceptor(
      world.extensions,
      "a",
      "assistant_message",
      '{"block": True, "reason": "a secret"} if "hunter2" in frame["text"] else {}',
    );
    const json = await world.run(["--json", ...world.flags([a]), "go"]);
    expect(json.stdout).not.toMatch(/hun|ter2/);
    expect(json.stderr).toContain("message hidden by a: a secret");
    expect(resultsIn(world.server, 1)[0]).toContain("ran");
    expect(world.extensions.framesOf("a", "event").map((frame) => frame["text"])).toEqual(["done"]);

    await using screen = await openWorld(world, a);
    await screen.enter("go");
    await screen.shows("message hidden by a: a secret");
    await screen.shows("done");
    expect(screen.output).not.toMatch(/hun|ter2/);
    expect(resultsIn(world.server, 3)[0]).toContain("ran");
  });

  test("086 an answer of nothing but tool calls is no question for anybody", async () => {
    await using world = await ZotWorld.create([{ calls: [{ name: "bash", args: { command: "true" } }] }, DONE]);
    const a = interceptor(world.extensions, "a", "assistant_message", PASS);
    await world.run(["-p", ...world.flags([a]), "go"]);
    expect(world.extensions.framesOf("a", "event_intercept").map((frame) => frame["text"])).toEqual(["done"]);
    // Whoever observes is told of both, of the first one without a text.
    expect(world.extensions.framesOf("a", "event").map((frame) => frame["text"] ?? "")).toEqual(["", "done"]);
  });
});
