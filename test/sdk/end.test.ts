import { describe, expect, test } from "bun:test";
import { sdkRuntimes } from "./runtimes.ts";

// The fixture keeps a timer alive for ever, so every exit here is the SDK's doing.
describe.each(sdkRuntimes)("the end under $name", (runtime) => {
  test("shutdown is acknowledged, onShutdown runs to its end, exit code 0", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "shutdown" });
    expect(await ext.exited).toBe(0);
    const types = ext.lines.slice(-2).map((line) => JSON.parse(line));
    expect(types).toEqual([{ type: "shutdown_ack" }, { type: "notify", level: "info", message: "last words" }]);
  });

  test("a closed stdin ends the process as shutdown does", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.closeStdin();
    expect(await ext.exited).toBe(0);
    expect(ext.lines.at(-1)).toContain("last words");
  });

  test("a closed stdin before the handshake is no reason to stay", async () => {
    await using ext = runtime.start("everything.mjs");
    ext.closeStdin();
    expect(await ext.exited).toBe(0);
  });

  test("an onShutdown that never ends does not keep the process", async () => {
    await using ext = runtime.start("everything.mjs", { FIXTURE_HANG: "1" });
    await ext.greet();
    const begun = performance.now();
    expect(await ext.shutdown()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(ext.stderr).toContain("onShutdown took more than 1.5 s");
  });

  test("a result of 3 MB that is still being read when shutdown comes arrives whole", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "tool_call", id: "b", name: "big", args: { size: 3_000_000 } }, { type: "shutdown" });
    const result = await ext.next({ id: "b" });
    expect(JSON.stringify(result).length).toBeGreaterThan(3_000_000);
    expect(await ext.exited).toBe(0);
    expect(ext.lines.at(-1)).toContain("last words");
  });

  test("ext.exit gives its code and loses nothing", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "command_invoked", id: "q", name: "quit" });
    expect(await ext.exited).toBe(7);
    expect(ext.lines.some((line) => line.length > 1_000_000)).toBe(true);
  });

  test("a running tool is told that the host is leaving, and its last answer still goes out", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "tool_call", id: "w", name: "waits", args: {} });
    expect(await ext.shutdown()).toBe(0);
    expect(ext.lines.join("\n")).toContain("aborted: the host is shutting down");
    expect(ext.lines.join("\n")).toContain('"id":"w","content":[{"type":"text","text":"gave up"}]');
  });
});
