import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { RpcProcess } from "../rpc/support/rpc-process.ts";
import { HostWorld } from "../support/host.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { jsonLines, ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Modes and CLI, 115 to 119: what extensions show without a screen. Driven through the built zot.

setDefaultTimeout(30_000);

/** Everything that an extension can show; a tool sends all of it in the middle of its call. */
const CHROME = [
  { type: "notify", level: "warn", message: "first\nsecond" },
  { type: "status", key: "k", level: "success", text: "busy" },
  { type: "widget", id: "w", position: "right_bar", title: "T", lines: ["1", "2"] },
  { type: "alert", kind: "bell", reason: "done" },
  { type: "open_panel", panel: { id: "p", title: "P", lines: ["x"] } },
  { type: "panel_render", panel_id: "p", lines: ["y"] },
  { type: "panel_close", panel_id: "p" },
  { type: "submit", text: "not a prompt" },
  { type: "submit_slash", text: "/do-a" },
  { type: "status", key: "k", text: "" },
  { type: "widget_clear", id: "w" },
  { type: "clear_notes" },
];

const SHOWY = `
hello()
tool("show")
ready()
for frame in frames():
    if frame["type"] == "tool_call":
        for wanted in frame["args"]["frames"]:
            emit(**wanted)
        result(frame, "shown")
`;

/** A world whose model has everything shown once and then answers. */
async function showyWorld(): Promise<{ readonly world: ZotWorld; readonly dir: string }> {
  const world = await ZotWorld.create([
    { calls: [{ name: "show", args: { frames: CHROME } }] },
    { text: "the answer" },
  ]);
  return { world, dir: world.extensions.python("a", SHOWY) };
}

/** `zot rpc` on the line protocol with one extension. */
function rpcWith(world: HostWorld, dir: string, env: Readonly<Record<string, string>> = {}): Promise<RpcProcess> {
  return RpcProcess.start({ args: ["--wire", "zot", "--no-ext", "--ext", dir], home: world.home, env });
}

describe.skipIf(!zotIsBuilt)("zot rpc on the line protocol", () => {
  test("115 with a token tells nothing before the hello, then answers it, then what extensions had to say", async () => {
    await using world = await HostWorld.create();
    const dir = world.python(
      "a",
      'hello()\nemit("subscribe", events=["session_start"])\nemit("notify", level="info", message="early")\nready()\nidle()',
    );
    await using zot = await rpcWith(world, dir, { ZOTCORE_RPC_TOKEN: "the token" });
    // It was read before this.
    await world.frame("a", { event: "session_start" });
    expect(zot.rawText).toBe("");
    zot.send({ id: "1", type: "hello", token: "the token" });
    await zot.until(({ type }) => type === "ext_notify", "the note");
    expect(zot.frames).toEqual([
      expect.objectContaining({ type: "response", id: "1", command: "hello", success: true }),
      { type: "ext_notify", extension: "a", level: "info", message: "early" },
    ]);
  });

  test("116 tells status, widget, their ends, alert, clear_notes and exit as ext objects, and of panels nothing", async () => {
    await using world = await HostWorld.create();
    await using zot = await rpcWith(world, world.puppet("a"));
    await zot.ask({ id: "1", type: "hello" });
    zot.send({ id: "2", type: "prompt", message: `/do-a ${JSON.stringify(CHROME)}` });
    await zot.until(({ type }) => type === "done", "the end of the command");
    process.kill(world.pid("a"), "SIGKILL");
    await zot.until(({ type, level }) => type === "ext_notify" && level === "error", "the note about its end");
    const told = zot.frames.filter(({ type }) => !["response", "done"].includes(type));
    expect(told).toEqual([
      { type: "ext_notify", extension: "a", level: "warn", message: "first\nsecond" },
      { type: "ext_status", extension: "a", key: "k", level: "success", text: "busy" },
      { type: "ext_widget", extension: "a", id: "w", position: "above_input", title: "T", lines: ["1", "2"] },
      { type: "ext_alert", extension: "a", kind: "bell", reason: "done" },
      { type: "ext_status", extension: "a", key: "k", level: "info", text: "" },
      { type: "ext_widget_clear", extension: "a", id: "w" },
      { type: "ext_clear_notes", extension: "a" },
      { type: "ext_chrome_clear", extension: "a" },
      {
        type: "ext_notify",
        extension: "a",
        level: "error",
        message: expect.stringContaining("exited (signal: killed)"),
      },
    ]);
  });

  test("119 an aborted prompt ends in turn_end with stop aborted and done, and is no error", async () => {
    await using world = await HostWorld.create();
    await using zot = await rpcWith(world, world.puppet("a"));
    zot.send({ id: "1", type: "prompt", message: "sleep 600000" });
    await zot.until(({ type }) => type === "request_started", "the request");
    expect(await zot.ask({ id: "2", type: "abort" })).toMatchObject({ command: "abort", success: true });
    await zot.until(({ type }) => type === "done", "the end of the prompt");
    expect(zot.ofType("turn_end", "done", "error")).toEqual([{ type: "turn_end", stop: "aborted" }, { type: "done" }]);
    // The next one runs as if nothing had been.
    zot.send({ id: "3", type: "prompt", message: "say hi" });
    await zot.until(({ type, stop }) => type === "turn_end" && stop === "end_turn", "the end of the next turn");
    expect(await zot.close()).toBe(0);
    expect(zot.badLines).toEqual([]);
  });
});

describe.skipIf(!zotIsBuilt)("headless", () => {
  test("117 print tells notes on stderr, with extension and level, and has only the answer on stdout", async () => {
    const { world, dir } = await showyWorld();
    await using _world = world;
    const { code, stdout, stderr } = await world.run(["-p", ...world.flags([dir]), "the prompt"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "the answer\n" });
    expect(stderr).toBe("[a] warn: first\n[a] warn: second\n");
  });

  test("118 json has one JSON object on every line of stdout, and none of them is an extension's frame", async () => {
    const { world, dir } = await showyWorld();
    await using _world = world;
    const { code, stdout, stderr } = await world.run(["--json", ...world.flags([dir]), "the prompt"]);
    expect(code).toBe(0);
    expect(stdout).toEndWith("\n");
    const events = jsonLines(stdout);
    expect(events).toHaveLength(stdout.split("\n").length - 1);
    const types = new Set(events.map(({ type }) => type));
    expect([...types].filter((type) => typeof type !== "string" || type.startsWith("ext_"))).toEqual([]);
    for (const { type } of CHROME) expect(types.has(type)).toBe(false);
    expect(types).toContain("tool_result");
    expect(types).toContain("done");
    // They are told where a person would look.
    expect(stderr).toBe("[a] warn: first\n[a] warn: second\n");
  });
});
