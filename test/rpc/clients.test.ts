import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ZotClient, ZotError } from "../../src/client/index.ts";
import { tempDir } from "../support/temp-dir.ts";
import { repoRoot, zotBinary, zotIsBuilt } from "../support/zot.ts";
import { scriptedModel } from "./support/scripted-model.ts";

const CLIENT = join(repoRoot, "src", "client");
const OFFLINE = ["--provider", "offline"];
const CLOCK = 'say hi\ncall clock {"zone":"UTC"}';

const hasJq = Bun.which("jq") !== null;
const python = Bun.which("python3");

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an example as its reader would, with nothing of the developer's own settings. */
async function run(...argv: readonly string[]): Promise<Ran> {
  await using home = await tempDir("zot-client-");
  const child = Bun.spawn([...argv], {
    cwd: home.path,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home.path,
      ZOT_HOME: home.path,
      ZOT: zotBinary,
      PYTHONDONTWRITEBYTECODE: "1",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [status, stdout, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { status, stdout, stderr };
}

describe.skipIf(!zotIsBuilt)("examples of clients", () => {
  const asks = "say hello there";
  const answer = { status: 0, stdout: "hello there\n" };
  const watched = {
    status: 0,
    stdout: expect.stringMatching(/^hi\[clock\]\n1 tool result:\n- clock: in UTC it is .+\ncompleted\n$/),
  };

  test("TypeScript", async () => {
    const bun = process.execPath;
    expect(await run(bun, join(CLIENT, "examples", "ask.ts"), asks, ...OFFLINE)).toMatchObject(answer);
    const watch = await run(bun, join(CLIENT, "examples", "watch.ts"), CLOCK, ...OFFLINE, "--approve", "ask");
    expect(watch).toMatchObject({ ...watched, stderr: "(Allow tool: clock: yes)\n" });
  });

  test.skipIf(python === null)("Python", async () => {
    const program = python ?? "";
    expect(await run(program, join(CLIENT, "python", "ask.py"), asks, ...OFFLINE)).toMatchObject(answer);
    const watch = await run(program, join(CLIENT, "python", "watch.py"), CLOCK, ...OFFLINE, "--approve", "ask");
    expect(watch).toMatchObject({ ...watched, stderr: "(Allow tool: clock: yes)\n" });
  });

  test.skipIf(!hasJq)("sh with jq", async () => {
    expect(await run("sh", join(CLIENT, "examples", "ask.sh"), asks, ...OFFLINE)).toMatchObject(answer);
    const call = 'call bash {"command":"echo approved"}';
    expect(await run("sh", join(CLIENT, "examples", "approve.sh"), call, ...OFFLINE, "--approve", "ask")).toMatchObject(
      {
        status: 0,
        stdout: "$ echo approved\n\napproved\n\n[exit 0]\ncompleted\n",
      },
    );
  });
});

describe.skipIf(!zotIsBuilt)("the TypeScript client", () => {
  async function start(options: Parameters<typeof ZotClient.start>[0] = {}): Promise<ZotClient> {
    return await ZotClient.start({ command: zotBinary, args: [...OFFLINE, "--no-session"], ...options });
  }

  test("says why zot does not start", async () => {
    const failed = start({ args: ["--model", "nobody/nothing"] });
    expect(await failed.catch((error: unknown) => error)).toMatchObject({
      code: "start",
      message: expect.stringContaining("nobody"),
    });
    const missing = start({ command: "/no/such/program" });
    expect(await missing.catch((error: unknown) => error)).toMatchObject({ code: "start" });
  });

  test("gives zot's own words for a command that fails, and goes on", async () => {
    await using zot = await start();
    expect(await zot.request("no_such_command").catch((error: unknown) => error)).toMatchObject({
      code: "command",
      message: "Unknown command: no_such_command",
    });
    expect(await zot.request("get_entries", { since: "x" }).catch((error: unknown) => error)).toMatchObject({
      reason: "unknown_since",
    });
    expect(await zot.ask("say fine")).toBe("fine");
    // No answer of a model, and least of all the one before.
    expect(await zot.ask("/usage")).toBe("");
    expect(await zot.state()).toMatchObject({ isStreaming: false });
  });

  test("a prompt has one result, also when it fails, is cut short, or needs no model", async () => {
    await using server = await scriptedModel();
    const args = ["--provider", "openai", "--base-url", server.url("openai"), "--model", "fake", "--no-session"];
    await using zot = await start({ args, env: { OPENAI_API_KEY: "x" } });
    const failed = await zot.prompt("FAIL400");
    expect(await failed.result).toMatchObject({ status: "error", error: { httpStatus: 400, retryable: false } });
    const hanging = await zot.prompt("HANG");
    await zot.abort();
    expect(await hanging.result).toMatchObject({ status: "aborted" });
    const local = await zot.prompt("/usage");
    expect(await local.result).toMatchObject({ agentInvoked: false, status: "completed" });
    expect(await zot.ask("FAIL400").catch((error: unknown) => error)).toBeInstanceOf(ZotError);
  });

  test("frames that came in chunks are whole", async () => {
    await using zot = await start();
    const text = "ä".repeat(700_000);
    expect(await zot.ask(`say ${text}`)).toBe(text);
    expect(JSON.stringify(await zot.messages())).toContain(text);
  });

  test("a tool that throws is an error for the model, a cancelled one is told so", async () => {
    await using zot = await start();
    const cancelled = Promise.withResolvers<void>();
    const parameters = { type: "object", properties: {} };
    await zot.setHostTools([
      {
        name: "bad",
        description: "fails",
        parameters,
        loadMode: "essential",
        run: () => Promise.reject(new Error("no luck")),
      },
      {
        name: "slow",
        description: "waits",
        parameters,
        loadMode: "essential",
        run: (_args, { signal, update }) => {
          update("waiting");
          return new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              cancelled.resolve();
              resolve("late");
            });
          });
        },
      },
    ]);
    expect(await zot.ask("call bad {}")).toContain("bad failed: no luck");
    const events = zot.events();
    const { result } = await zot.prompt("call slow {}");
    for await (const { type } of events) if (type === "tool_execution_update") break;
    await zot.abort();
    await cancelled.promise;
    expect(await result).toMatchObject({ status: "aborted" });
  });

  test("whoever waits is told when zot is gone", async () => {
    const zot = await start();
    const { result } = await zot.prompt("sleep 60000");
    const events = zot.events();
    const read = (async () => {
      let count = 0;
      for await (const _event of events) count += 1;
      return count;
    })();
    process.kill(zot.pid ?? 0, "SIGKILL");
    expect(await result.catch((error: unknown) => error)).toMatchObject({ code: "ended" });
    expect(await read).toBeGreaterThanOrEqual(0);
    expect(await zot.state().catch((error: unknown) => error)).toMatchObject({ code: "ended" });
    await zot.close();
  });
});

describe.skipIf(!zotIsBuilt || python === null)("the Python client", () => {
  test("says why something fails, in the same words", async () => {
    const script = `
import os, sys
sys.path.insert(0, sys.argv[1])
from zot_client import Zot, ZotError
try:
    Zot(command=os.environ["ZOT"], args=["--model", "nobody/nothing"])
except ZotError as error:
    print(error.code, "nobody" in str(error))
with Zot(command=os.environ["ZOT"], args=["--provider", "offline", "--no-session"]) as zot:
    try:
        zot.request("get_entries", since="x")
    except ZotError as error:
        print(error.code, error.reason)
    text = "ä" * 700000
    print(zot.ask("say " + text) == text, zot.ask("/usage") == "")
    def boom(arguments):
        raise ValueError("no luck")
    zot.set_host_tools([{"name": "bad", "description": "fails", "loadMode": "essential",
                         "parameters": {"type": "object", "properties": {}}, "run": boom}])
    print(zot.ask("call bad {}"))
    prompt = zot.prompt("sleep 60000")
    zot.abort()
    print(prompt.result()["status"])
    print(zot.close())
`;
    const { stdout, stderr } = await run(python ?? "", "-c", script, join(CLIENT, "python"));
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "start True",
      "command unknown_since",
      "True True",
      "1 tool result:",
      "- bad failed: ValueError: no luck",
      "aborted",
      "0",
      "",
    ]);
  });
});
