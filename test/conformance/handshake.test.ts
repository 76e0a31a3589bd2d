import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FEATURES } from "../../src/wire/dialect.ts";
import { RawJson } from "../../src/wire/raw-json.ts";
import { HostWorld, type ReceivedFrame } from "../support/host.ts";
import { AgentWorld } from "./support/agent-world.ts";

// extension-host.md §10, Handshake: from the first line of a child to its registrations. What takes time is in
// handshake-deadlines.test.ts.

setDefaultTimeout(30_000);

const LIVE = new AbortController().signal;

/** Whether there is such a process, a dead one that nobody has reaped included. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No such process: the answer.
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** Writes an extension in TypeScript that sends `frames` and shows each frame from the host as a note. Gives its directory. */
function echo(world: HostWorld, name: string, ...frames: readonly object[]): string {
  const script = `
    const frames: readonly object[] = ${JSON.stringify(frames)};
    for (const frame of frames) console.log(JSON.stringify(frame));
    for await (const line of console) {
      const frame: { type: string } = JSON.parse(line);
      if (frame.type === "shutdown") process.exit(0);
      console.log(JSON.stringify({ type: "notify", level: "info", message: line }));
      if (frame.type === "hello_ack") console.log('{"type":"ready"}');
    }
  `;
  return world.files(name, { "main.ts": script, "extension.json": { name, exec: "./main.ts" } });
}

/** The `count`th frame that an echoing extension has read. */
async function echoed(world: HostWorld, count = 1): Promise<ReceivedFrame> {
  const frame: ReceivedFrame = JSON.parse((await world.surface.told("note", count)).note.message);
  return frame;
}

/** Starts one shell script that fails before its hello; gives the error behind its directory, and its process id. */
async function failing(
  script: string,
): Promise<{ readonly error: string; readonly log: string; readonly pid: number }> {
  await using world = await HostWorld.create();
  const dir = world.shell("a", `echo $$ > pid\n${script}`);
  await world.start();
  expect(world.loadErrors).toHaveLength(1);
  expect(world.extension("a").state).toBe("gone");
  const error = world.loadErrors[0]?.replace(`${dir}: `, "") ?? "";
  expect(world.log("a")).toContain(`[zot] ${error}\n`);
  return { error, log: join(world.home, "logs", "ext-a.log"), pid: Number(readFileSync(join(dir, "pid"), "utf8")) };
}

describe("hello", () => {
  test("023 without protocol_version gets the acknowledgement of protocol 1", async () => {
    for (const members of ["", "protocol_version=0", "protocol_version=1", "protocol_version=None"]) {
      await using world = await HostWorld.create();
      const dir = world.python("a", `hello(${members})\nready()\nidle()`);
      await world.start();
      expect(world.loadErrors).toEqual([]);
      expect(await world.frame("a", { type: "hello_ack" })).toEqual({
        type: "hello_ack",
        protocol_version: 1,
        zot_version: "1.2.3",
        provider: "offline",
        model: "rehearsal",
        cwd: world.cwd,
        extension_dir: dir,
        data_dir: dir,
        features: [...FEATURES],
      });
    }
  });

  test("024 of protocol 2 gets the acknowledgement of protocol 2, with the version under that dialect's key", async () => {
    await using world = await HostWorld.create();
    const dir = echo(world, "a", { type: "hello", name: "a", protocol_version: 2 });
    await world.start();
    expect(await echoed(world)).toEqual({
      type: "hello_ack",
      protocol_version: 2,
      zut_version: "1.2.3",
      provider: "offline",
      model: "rehearsal",
      cwd: world.cwd,
      extension_dir: dir,
      data_dir: dir,
      features: [...FEATURES],
    });
    expect(world.extension("a").dialect).toBe(2);
  });

  test("025 of protocol 3 is rejected by that number, and its process is reaped", async () => {
    const { error, log, pid } = await failing(
      `printf '{"type":"hello","name":"a","protocol_version":3}\\n'; while :; do sleep 60; done`,
    );
    expect(error).toBe(`unsupported extension protocol version 3 (want 1 or 2; stderr log: ${log})`);
    expect(exists(pid)).toBe(false);
  });

  test("026 must be the first frame: another one is named in the error", async () => {
    const { error, log, pid } = await failing(`printf '{"type":"notify","message":"x"}\\n'; sleep 60`);
    expect(error).toStartWith(`first frame must be hello (got "notify"; stderr log: ${log})`);
    expect(exists(pid)).toBe(false);
  });

  test("027 without a name is rejected", async () => {
    for (const name of ['"name":"",', ""]) {
      const { error, log, pid } = await failing(`printf '%s\\n' '{"type":"hello",${name}"version":"1"}'; sleep 60`);
      expect(error).toBe(`first frame must be hello with a name (got "hello"; stderr log: ${log})`);
      expect(exists(pid)).toBe(false);
    }
  });

  test("028 behind a banner is not waited for: the error shows the line and the path of the log", async () => {
    const { error, log, pid } = await failing(
      `echo 'npm notice new version'; printf '{"type":"hello","name":"a"}\\n'; sleep 60`,
    );
    expect(error).toStartWith(`parse hello (stderr log: ${log}): `);
    expect(error).toEndWith('"npm notice new version"');
    expect(exists(pid)).toBe(false);
  });

  test("029 that an exit comes before is an error with the exit status and the path of the log", async () => {
    const { error, log } = await failing("echo 'no such module' >&2; exit 3");
    expect(error).toBe(`extension exited before hello: exit status 3 (stderr log: ${log})`);
    expect((await failing("exit 0")).error).toContain("exit status 0");
  });

  test("030 that a signal comes before is an error with the signal's name", async () => {
    const names: Record<string, string> = { KILL: "killed", TERM: "terminated", SEGV: "segmentation fault" };
    for (const [signal, name] of Object.entries(names)) {
      const { error, log } = await failing(`kill -${signal} $$`);
      expect(error).toBe(`extension exited before hello: signal: ${name} (stderr log: ${log})`);
    }
  });

  test("033 with everything else in one burst, before anything is read, is acknowledged first, and all of it counts", async () => {
    await using world = await HostWorld.create();
    const burst = [
      { type: "hello", name: "burst" },
      { type: "register_command", name: "c", description: "" },
      { type: "register_tool", name: "t", description: "", schema: { type: "object", properties: {} } },
      { type: "subscribe", events: ["turn_end"] },
      { type: "ready" },
    ];
    world.shell(
      "burst",
      `
      printf '%s\\n' '${burst.map((frame) => JSON.stringify(frame)).join("' '")}'
      while IFS= read -r line; do
        printf '%s\\n' "$line" >> received.ndjson
        id=\${line#*'"id":"'}; id=\${id%%'"'*}
        case "$line" in
          *'"type":"command_invoked"'*) printf '{"type":"command_response","id":"%s","action":"display","display":"d"}\\n' "$id" ;;
          *'"type":"tool_call"'*) printf '{"type":"tool_result","id":"%s","content":[{"type":"text","text":"r"}]}\\n' "$id" ;;
          *'"type":"shutdown"'*) exit 0 ;;
        esac
      done
      `,
    );
    await world.start();
    expect(world.extension("burst").readiness).toBe("explicit");
    expect(await world.host.commands.invoke("c", "")).toMatchObject({ kind: "display", text: "d" });
    expect(await world.host.tools.call("t", "{}", LIVE)).toMatchObject({ content: [{ type: "text", text: "r" }] });
    world.host.events.emit("turn_end", { step: 1 });
    await world.frame("burst", { type: "event", event: "turn_end" });
    expect(world.received("burst").map(({ type }) => type)).toEqual([
      "hello_ack",
      "command_invoked",
      "tool_call",
      "event",
    ]);
    expect(world.diagnostics("burst")).toEqual([]);
  });

  test("034 with another name than the manifest loads under the manifest's name with a diagnostic when it is kin to it, else not at all", async () => {
    await using world = await HostWorld.create();
    world.python("mcp", 'hello(name="mcp-bridge")\ntool("t")\nready()\nidle()');
    const stranger = world.python("weather", 'hello(name="postgres")\nready()\nidle()');
    await world.start();
    expect(world.extension("mcp").state).toBe("ready");
    expect(world.host.tools.ownerOf("t")).toBe("mcp");
    expect(world.diagnostics("mcp")).toEqual(['hello name "mcp-bridge" differs from the manifest name "mcp"']);
    const log = join(world.home, "logs", "ext-weather.log");
    expect(world.loadErrors).toEqual([
      `${stranger}: hello name "postgres" does not match the manifest name "weather" (stderr log: ${log})`,
    ]);
    expect(exists(world.pid("weather"))).toBe(false);
  });
});

describe("what comes after ready counts", () => {
  test("037 a command that is registered works at once", async () => {
    await using world = await HostWorld.create();
    world.python(
      "a",
      `
      hello()
      command("grow")
      ready()
      for frame in frames():
          if frame["type"] != "command_invoked":
              continue
          if frame["name"] == "grow":
              command("late")
              respond(frame, action="noop")
          else:
              respond(frame, action="display", display="grown")
      `,
    );
    await world.start();
    expect(await world.host.commands.invoke("late", "")).toMatchObject({ kind: "error" });
    expect(await world.host.commands.invoke("grow", "")).toMatchObject({ kind: "noop" });
    expect(await world.host.commands.invoke("late", "")).toMatchObject({ kind: "display", text: "grown" });
  });

  test("038 a tool that is registered is offered to the model in the next request", async () => {
    await using world = await AgentWorld.create({
      turns: [{ calls: [{ name: "grow" }] }, { calls: [{ name: "late" }] }, { text: "done" }],
      extensions: (host) => {
        host.python(
          "a",
          `
          hello()
          tool("grow")
          ready()
          for frame in frames():
              if frame["type"] != "tool_call":
                  continue
              if frame["name"] == "grow":
                  tool("late", description="has grown")
              result(frame, frame["name"])
          `,
        );
      },
    });
    await world.say("go");
    const offered = world.server.requests.map((request) => JSON.stringify(request.at("tools")).includes('"has grown"'));
    expect(offered).toEqual([false, true, true]);
    expect(world.results).toEqual([
      { text: "grow", isError: false },
      { text: "late", isError: false },
    ]);
  });

  test("039 two subscriptions add up", async () => {
    await using world = await HostWorld.create();
    echo(
      world,
      "a",
      { type: "hello", name: "a" },
      { type: "subscribe", events: ["turn_start"] },
      { type: "subscribe", events: ["turn_end"], intercept: ["tool_call"] },
    );
    await world.start();
    for (const event of ["turn_start", "tool_call", "turn_end"] as const) world.host.events.emit(event, { step: 7 });
    const verdict = world.host.intercepts.toolCall({ id: "1", name: "bash", args: RawJson.parse("{}") }, LIVE);
    const read = [await echoed(world, 2), await echoed(world, 3), await echoed(world, 4)];
    expect(read.map(({ type, event }) => [type, event])).toEqual([
      ["event", "turn_start"],
      ["event", "turn_end"],
      ["event_intercept", "tool_call"],
    ]);
    await world.host.stop(0);
    expect((await verdict).kind).toBe("allowed");
  });
});
