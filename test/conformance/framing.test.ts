import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RawJson } from "../../src/wire/raw-json.ts";
import { HostWorld, isRunning } from "../support/host.ts";
import { until } from "../support/until.ts";
import { AgentWorld } from "./support/agent-world.ts";

// extension-host.md §10, Framing: lines and JSON, both ways. What happens when nobody reads is in backpressure.test.ts.

setDefaultTimeout(30_000);

const LIVE = new AbortController().signal;
/** Bytes of a frame, its line feed included (extension-host.md §2.1). */
const FRAME_LIMIT = 4 * 1024 * 1024;

/** The lines that a Python extension has read, as they came. */
function linesOf(world: HostWorld, name: string): string[] {
  const path = join(world.home, "extensions", name, "received.ndjson");
  return readFileSync(path, "utf8").split("\n").slice(0, -1);
}

describe("a line from an extension", () => {
  test("040 may end with CRLF, and the last one before the end of the stream with nothing", async () => {
    await using world = await HostWorld.create();
    world.python(
      "a",
      `
      raw('{"type":"hello","name":"a"}\\r\\n{"type":"register_tool","name":"t","schema":{"type":"object"}}\\r\\n{"type":"ready"}\\r\\n')
      for frame in frames():
          if frame["type"] == "tool_call":
              raw('{"type":"tool_result","id":"' + frame["id"] + '","content":[{"type":"text","text":"last words"}]}')
              os._exit(0)
      `,
    );
    await world.start();
    expect(world.extension("a").readiness).toBe("explicit");
    const result = await world.host.tools.call("t", "{}", LIVE);
    expect(result).toMatchObject({ content: [{ type: "text", text: "last words" }], isError: false });
    expect(world.diagnostics("a").filter((entry) => !entry.startsWith("exited"))).toEqual([]);
  });

  test("041 that is blank, garbage, or of an unknown type is diagnosed, and the connection stays", async () => {
    await using world = await HostWorld.create();
    const malformed = "malformed json from extension: ";
    /** What each line is told as. */
    const odd: Record<string, string> = {
      "": malformed,
      "npm notice new version": `${malformed}Unexpected identifier "npm": npm notice new version`,
      '{"type":"notify"': malformed,
      "[]": `${malformed}an array, not an object: []`,
      "5": `${malformed}a number, not an object: 5`,
      '"hello"': `${malformed}a string, not an object: "hello"`,
      null: 'unknown frame type ""',
      '{"type":"frobnicate"}': 'unknown frame type "frobnicate"',
      '{"type":"constructor"}': 'unknown frame type "constructor"',
      '{"type":"notify","message":5}': "bad notify frame: message: ",
      '{"type":"open_panel"}': "bad open_panel frame: panel: ",
    };
    world.python(
      "a",
      `
      hello()
      tool("t")
      ready()
      for frame in frames():
          if frame["type"] == "tool_call":
              raw("".join(line + "\\n" for line in json.loads(${JSON.stringify(JSON.stringify(Object.keys(odd)))})))
              sys.stdout.buffer.write(b'{"type":"notify","level":"info","message":"caf\\xe9"}\\n')
              sys.stdout.flush()
              result(frame, "still here")
      `,
    );
    await world.start();
    for (let round = 0; round < 2; round += 1) {
      const { content } = await world.host.tools.call("t", "{}", LIVE);
      expect(content).toEqual([{ type: "text", text: "still here" }]);
    }
    const told = world.diagnostics("a");
    expect(told).toHaveLength(Object.keys(odd).length);
    for (const wanted of Object.values(odd)) {
      expect(told.filter((entry) => entry.startsWith(wanted) && entry.endsWith(" (×2)"))).not.toEqual([]);
    }
    expect(world.extension("a").state).toBe("ready");
    // Bytes that are no UTF-8 cost their characters, not the line.
    expect(world.surface.notes).toContain("[a] info: caf\ufffd");
  });

  test("042 of the limit is read, and one byte more disconnects: its tools go, open calls fail at once, its process ends", async () => {
    await using world = await HostWorld.create();
    world.python(
      "big",
      `
      hello()
      tool("exactly")
      tool("beyond")
      tool("waiting")
      ready()
      def sized(frame, size):
          head = '{"type":"tool_result","id":"' + frame["id"] + '","content":[{"type":"text","text":"'
          tail = '"}]}\\n'
          raw(head + "x" * (size - len(head) - len(tail)) + tail)
      for frame in frames():
          if frame["type"] == "tool_call" and frame["name"] == "exactly":
              sized(frame, ${FRAME_LIMIT})
          if frame["type"] == "tool_call" and frame["name"] == "beyond":
              sized(frame, ${FRAME_LIMIT + 1})
              time.sleep(600)
      `,
    );
    world.puppet("other", { registrations: [{ type: "register_tool", name: "quick" }] });
    await world.start();
    const pid = world.pid("big");
    expect(await world.host.tools.call("exactly", "{}", LIVE)).toMatchObject({ isError: false });
    expect(world.extension("big").state).toBe("ready");

    const waiting = world.host.tools.call("waiting", "{}", LIVE);
    await world.frame("big", { type: "tool_call", name: "waiting" });
    const asked = performance.now();
    const ends = await Promise.all([waiting, world.host.tools.call("beyond", "{}", LIVE)]);
    expect(performance.now() - asked).toBeLessThan(2_000);
    const text = `extension big disconnected: frame exceeds the limit of ${FRAME_LIMIT} bytes`;
    for (const end of ends) expect(end).toMatchObject({ isError: true, content: [{ type: "text", text }] });
    expect(world.host.tools.offered.map(({ name }) => name)).toEqual(["quick"]);
    await until("its process to end", () => !isRunning(pid));
    await world.diagnosed("big", `frame exceeds the limit of ${FRAME_LIMIT} bytes; disconnected`);
    await world.emit("other", { type: "notify", level: "info", message: "unharmed" });
  });
});

describe("a line to an extension", () => {
  test('043 is compact JSON that begins with {"type":" and has its id, if any, right behind the type', async () => {
    await using world = await HostWorld.create();
    world.puppet("a", {
      protocol: 2,
      capabilities: ["tool_cancel"],
      registrations: [
        { type: "subscribe", events: ["assistant_message"], intercept: ["tool_call"] },
        { type: "register_tool", name: "t" },
        { type: "register_uri_scheme", scheme: "x", writable: true },
      ],
    });
    await world.start();
    const { host } = world;
    const words = "<b>&amp;\u2028 ünïcode 🎉 \ud800 lone";
    await world.emit(
      "a",
      { type: "open_panel", panel: { id: "p", lines: ["x"] } },
      { type: "extension_ui_request", id: "q", method: "input", title: "T" },
    );
    host.events.emit("assistant_message", { text: words });
    host.panels.key("rune", "é");
    host.panels.resize(80, 24);
    host.panels.close();
    (await world.surface.dialog()).answer({ kind: "value", value: words });
    const abort = new AbortController();
    const open = [
      host.tools.call("t", `{ "text" : ${JSON.stringify(words)},\n "n": [ 1 , 2 ] }`, abort.signal),
      host.uris.read("x://y/z", abort.signal),
      host.intercepts.toolCall({ id: "call-1", name: "bash", args: RawJson.parse("{}") }, abort.signal),
    ];
    await world.frame("a", { type: "event_intercept" });
    abort.abort();
    await Promise.all(open);
    await host.stop(2_000);

    const lines = linesOf(world, "a");
    const types = new Set(lines.map((line) => /^\{"type":"([a-z_]+)"/.exec(line)?.[1]));
    expect([...types].sort()).toEqual([
      "command_invoked",
      "event",
      "event_intercept",
      "extension_ui_response",
      "hello_ack",
      "panel_close",
      "panel_key",
      "panel_resize",
      "shutdown",
      "tool_call",
      "tool_cancel",
      "uri_cancel",
      "uri_request",
    ]);
    for (const line of lines) {
      // Compact and with its characters unescaped is how JSON is printed here anyway.
      expect(JSON.stringify(JSON.parse(line))).toBe(line);
      if ("id" in JSON.parse(line)) expect(line).toMatch(/^\{"type":"[a-z_]+","id":"[^"\\]+"[,}]/);
    }
    // The event and the answer are ours to mend; the arguments of the call are the model's.
    expect(lines.filter((line) => line.includes(words.replace("\ud800", "\ufffd")))).toHaveLength(2);
  });

  test("044 carries the arguments of a tool as the model wrote them, digit for digit", async () => {
    const raw =
      '{ "n" : 12345678901234567890, "10":1, "2":[ 1e2, -0.00, 0.1000000000000000055511 ], "s":" \\u00e9 ", "n2":1, "n2":2 }';
    await using world = await AgentWorld.create({
      turns: [{ calls: [{ name: "t", raw }] }, { text: "done" }],
      extensions: (host) => {
        host.python(
          "a",
          'hello()\ntool("t")\nready()\nfor frame in frames():\n    if frame["type"] == "tool_call":\n        result(frame, "ok")',
        );
      },
    });
    await world.say("go");
    expect(world.results).toEqual([{ text: "ok", isError: false }]);
    const call = linesOf(world.extensions, "a").find((line) => line.startsWith('{"type":"tool_call"'));
    expect(call).toEndWith(
      ',"args":{"n":12345678901234567890,"10":1,"2":[1e2,-0.00,0.1000000000000000055511],"s":" \\u00e9 ","n2":1,"n2":2}}',
    );
  });
});
