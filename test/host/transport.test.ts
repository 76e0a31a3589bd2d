import { describe, expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { StdioTransport } from "../../src/host/connection/transport.ts";
import { ExtensionProcess } from "../../src/host/launch/process.ts";
import { encodeFrame } from "../../src/wire/encode.ts";
import { HostWorld, isRunning } from "../support/host.ts";
import { until } from "../support/until.ts";

const KiB = 1024;
const LIVE = new AbortController().signal;

/** A child whose stdio is a transport. */
class Child implements AsyncDisposable {
  readonly process: ExtensionProcess;
  readonly transport: StdioTransport;
  broken: string | undefined;

  constructor(script: string) {
    const stderrFd = openSync("/dev/null", "w");
    this.process = new ExtensionProcess({
      argv: ["/usr/bin/env", "sh", "-c", script],
      cwd: "/",
      env: { PATH: process.env["PATH"] },
      stderrFd,
      dieWithParent: false,
    });
    closeSync(stderrFd);
    this.transport = new StdioTransport(this.process);
    this.transport.onBroken = ({ reason }) => {
      this.broken = reason;
    };
  }

  async lines(): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of this.transport.lines()) lines.push(line);
    return lines;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.process.kill();
  }
}

const event = (n: number, size = 2 * KiB): string => encodeFrame("event", { n, text: "x".repeat(size) });

describe("a child that does not read", () => {
  test("loses the oldest events first, gets the rest in order, and never blocks the sender", async () => {
    // Reads once it is told to through its other pipe: the arrival of a signal.
    await using child = new Child('trap "exec cat" USR1; echo up; while :; do sleep 0.01; done');
    const output = child.transport.lines();
    await output.next();
    const started = performance.now();
    for (let n = 0; n < 5_000; n += 1) expect(child.transport.send(event(n), true)).toBe("queued");
    expect(child.transport.send(encodeFrame("tool_call", { id: "t1" }))).toBe("queued");
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(child.broken).toBeUndefined();

    process.kill(child.process.pid, "SIGUSR1");
    const numbers: number[] = [];
    for await (const line of output) {
      const frame = JSON.parse(line);
      if (frame.type === "tool_call") break;
      numbers.push(frame.n);
    }
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(numbers.slice(-200)).toEqual(Array.from({ length: 200 }, (_, index) => 4_800 + index));
    // What was in the pipe already had left; what came right behind it was the oldest in the queue.
    expect(numbers[0]).toBe(0);
    expect(numbers.length).toBeLessThan(1_000);
  });

  test("is given up when what must not be dropped fills the queue, by number", async () => {
    await using child = new Child("sleep 60");
    const sent = Array.from({ length: 400 }, (_, n) =>
      child.transport.send(encodeFrame("tool_call", { id: `t${n}`, x: "x".repeat(KiB * 4) })),
    );
    expect(sent.filter((result) => result === "queued").length).toBeGreaterThanOrEqual(256);
    expect(sent.at(-1)).toBe("closed");
    expect(child.broken).toStartWith("stopped reading: ");
    expect(child.transport.send(event(1), true)).toBe("closed");
  });

  test("is given up when what must not be dropped fills the queue, by size", async () => {
    await using child = new Child("sleep 60");
    const sent = Array.from({ length: 12 }, () =>
      child.transport.send(encodeFrame("tool_call", { x: "x".repeat(2 * KiB * KiB) })),
    );
    expect(sent.slice(0, 7)).toEqual(Array(7).fill("queued"));
    expect(sent.at(-1)).toBe("closed");
    expect(child.broken).toStartWith("stopped reading: ");
  });

  test("is given up when one write stalls for 5 s", async () => {
    await using child = new Child("sleep 60");
    const started = performance.now();
    child.transport.send(encodeFrame("tool_call", { x: "x".repeat(KiB * KiB) }));
    expect(await until("the end", () => child.broken, 8_000)).toBe("did not read its stdin for 5 s");
    expect(performance.now() - started).toBeGreaterThan(4_900);
  }, 15_000);

  test("costs its callers nothing but an error, and is ended with its group", async () => {
    await using world = await HostWorld.create();
    world.python(
      "deaf",
      `
      hello()
      tool("work")
      ready()
      time.sleep(600)
      `,
    );
    world.puppet("other", { registrations: [{ type: "register_tool", name: "quick" }] });
    await world.start();
    const pid = world.pid("deaf");
    const argument = JSON.stringify({ x: "x".repeat(KiB * KiB) });
    const calls = await Promise.all(Array.from({ length: 40 }, () => world.host.tools.call("work", argument, LIVE)));
    expect(calls.every(({ isError }) => isError)).toBe(true);
    expect(calls[0]?.content).toMatchObject([
      { text: expect.stringMatching(/^extension deaf disconnected: stopped reading: \d+ frames/) },
    ]);
    await until("the note", () => {
      return world.surface.notes.some((note) =>
        /exited \(signal: terminated; stopped reading: \d+ frames wait/.test(note),
      );
    });
    expect(isRunning(pid)).toBe(false);
    expect(world.host.tools.offered.map(({ name }) => name)).toEqual(["quick"]);
    await world.emit("other", { type: "notify", level: "info", message: "still here" });
  });
});

describe("the sending side", () => {
  test("refuses a frame beyond the limit and goes on", async () => {
    await using child = new Child("exec cat");
    expect(child.transport.send(encodeFrame("event", { x: "x".repeat(4 * KiB * KiB) }))).toBe("too_long");
    expect(child.transport.send(encodeFrame("event", { n: 1 }))).toBe("queued");
    const output = child.transport.lines();
    expect(JSON.parse((await output.next()) ?? "")).toEqual({ type: "event", n: 1 });
  });

  test("that is closed first lets go what is queued", async () => {
    await using child = new Child("exec cat");
    for (let n = 0; n < 100; n += 1) child.transport.send(event(n, 10 * KiB));
    const lines = child.lines();
    await child.transport.closeInput(5_000);
    expect((await lines).map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(child.transport.send(event(1))).toBe("closed");
  });

  test("that is closed does not wait for a child that reads nothing", async () => {
    await using child = new Child("sleep 60");
    for (let n = 0; n < 100; n += 1) child.transport.send(event(n, 10 * KiB));
    const started = performance.now();
    await child.transport.closeInput(100);
    expect(performance.now() - started).toBeLessThan(1_500);
  });

  test("breaks without an error when the child closes its stdin", async () => {
    await using child = new Child("exec 0<&-; echo up; sleep 60");
    await child.transport.lines().next();
    await until("the end of the pipe", () => child.transport.send(event(1)) === "closed");
    expect(child.broken).toBe("closed its stdin");
  });

  test("breaks without an error when the child dies in the middle of a write", async () => {
    await using child = new Child("head -c 1000000 >/dev/null; echo read; exit 0");
    const output = child.transport.lines();
    for (let n = 0; n < 6; n += 1) child.transport.send(encodeFrame("tool_call", { x: "x".repeat(KiB * KiB) }));
    await output.next();
    await until("the end of the pipe", () => child.broken);
    expect(child.broken).toBe("closed its stdin");
  });
});

describe("an extension that shuts its ear", () => {
  test("and ends has its last words heard, whatever was sent to it meanwhile", async () => {
    await using world = await HostWorld.create();
    world.python(
      "a",
      `
      hello()
      tool("work")
      emit("subscribe", events=["turn_start"])
      ready()
      for frame in frames():
          if frame["type"] == "tool_call":
              os.close(0)
              time.sleep(0.1)
              result(frame, "last words")
              os._exit(0)
      `,
    );
    await world.start();
    const result = world.host.tools.call("work", "{}", LIVE);
    await world.frame("a", { type: "tool_call" });
    const events = setInterval(() => world.host.events.emit("turn_start", { step: 1 }), 5);
    expect((await result).content).toEqual([{ type: "text", text: "last words" }]);
    clearInterval(events);
    await world.surface.noted("exited (exit status 0); /reload-ext to restart");
  });

  test("and lives on is ended, since it cannot be asked anything", async () => {
    await using world = await HostWorld.create();
    world.python(
      "a",
      `
      hello()
      tool("work")
      ready()
      next(frames())
      os.close(0)
      emit("notify", level="info", message="deaf now")
      time.sleep(600)
      `,
    );
    await world.start();
    const pid = world.pid("a");
    await world.surface.noted("deaf now");
    const { content } = await world.host.tools.call("work", "{}", LIVE);
    expect(content).toEqual([{ type: "text", text: "extension a disconnected: closed its stdin" }]);
    await until("its end", () => !isRunning(pid));
  });

  test("and talks on until its end brings nothing any more, for nobody would take it away again", async () => {
    await using world = await HostWorld.create();
    world.python(
      "a",
      `
      import signal
      def talk(*_):
          command("late")
          emit("notify", level="info", message="late")
          os._exit(0)
      signal.signal(signal.SIGTERM, talk)
      hello()
      tool("work")
      ready()
      next(frames())
      os.close(0)
      emit("notify", level="info", message="deaf now")
      time.sleep(600)
      `,
    );
    await world.start();
    await world.surface.noted("deaf now");
    await world.host.tools.call("work", "{}", LIVE);
    await world.surface.noted("exited (exit status 0; closed its stdin); /reload-ext to restart");
    expect(world.host.registry.of(world.extension("a"))).toEqual({ commands: [], tools: [] });
    expect(world.surface.notes).not.toContain("[a] info: late");
  });
});

describe("the receiving side", () => {
  test("gives the last line without its line feed", async () => {
    await using child = new Child("printf 'one\\r\\ntwo'");
    expect(await child.lines()).toEqual(["one", "two"]);
  });

  test("ends soon after the child, even when a grandchild holds the pipe", async () => {
    await using child = new Child("echo one; sleep 30 & echo two");
    const started = performance.now();
    expect(await child.lines()).toEqual(["one", "two"]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("ends when a grandchild goes on writing after the child's end", async () => {
    await using child = new Child("echo one; while :; do echo more; sleep 0.05; done &");
    const lines = await child.lines();
    expect(lines[0]).toBe("one");
    expect(new Set(lines.slice(1))).toEqual(new Set(["more"]));
  });

  test("reads everything that was written before the child ended", async () => {
    await using child = new Child("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done");
    const lines = await child.lines();
    expect(lines).toHaveLength(20_000);
    expect(lines.at(-1)).toBe("19999");
  });
});
