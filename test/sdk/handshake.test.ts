import { describe, expect, test } from "bun:test";
import { sdkRuntimes } from "./runtimes.ts";

describe.each(sdkRuntimes)("handshake under $name", (runtime) => {
  test("hello comes first and names what the extension brings; protocol 1 does not speak of versions", async () => {
    await using ext = runtime.start("everything.mjs");
    const hello = await ext.greet();
    expect(hello).toEqual({
      type: "hello",
      name: "everything",
      version: "1.2.3",
      capabilities: ["commands", "tools", "events", "panels", "tool_cancel"],
    });
    expect(ext.lines[0]).toStartWith('{"type":"hello","name":');
  });

  test("nothing but hello is written before hello_ack, and ready closes the registrations", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.next({ type: "hello" });
    expect(ext.lines).toHaveLength(1);
    await ext.acknowledge();
    const types = ext.lines.map((line) => JSON.parse(line).type);
    expect(types.indexOf("notify")).toBeGreaterThan(types.lastIndexOf("register_tool"));
    expect(types.at(-1)).toBe("ready");
    expect(types.at(-2)).toBe("subscribe");
  });

  test("what onHello registers is announced before ready, and its failure does not prevent ready", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet({ model: "large" });
    expect(ext.lines).toContain('{"type":"register_command","name":"hosted","description":"large"}');
    await ext.logged("onHello failed");
  });

  test("the host's own words are readable in every handler", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet({
      cwd: "/project",
      extension_dir: "/ext",
      data_dir: "/data",
      features: ["ui", 5],
      zot_version: "9",
    });
    const { display } = await ext.command("hosted");
    expect(JSON.parse(String(display))).toEqual({
      protocolVersion: 1,
      version: "9",
      provider: "offline",
      model: "offline",
      cwd: "/project",
      extensionDir: "/ext",
      dataDir: "/data",
      features: ["ui"],
    });
  });

  test("protocol 2 is asked for in hello, and its session is read from hello_ack", async () => {
    await using ext = runtime.start("everything.mjs", { FIXTURE_PROTOCOL: "2" });
    const session = { id: "s1", parent_id: "s0", fork_point: 4 };
    const hello = await ext.greet({ protocol_version: 2, zut_version: "3", session });
    expect(hello["protocol_version"]).toBe(2);
    const { display } = await ext.command("hosted");
    expect(JSON.parse(String(display))).toMatchObject({
      protocolVersion: 2,
      session: { id: "s1", parentId: "s0", forkPoint: 4 },
    });
  });

  test("a host of another protocol than the one asked for is refused with exit code 1", async () => {
    await using ext = runtime.start("everything.mjs", { FIXTURE_PROTOCOL: "2" });
    await ext.next({ type: "hello" });
    ext.send({ type: "hello_ack", protocol_version: 1 });
    expect(await ext.exited).toBe(1);
    expect(ext.stderr).toContain("the host speaks protocol 1, this extension needs 2");
  });

  test("commands and subscriptions that come after ready are announced at once", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    await ext.command("grow");
    await ext.next({ type: "register_command", name: "grown" });
    expect((await ext.command("grown"))["display"]).toBe("grown");
    ext.send({ type: "event", event: "turn_end", stop: "end_turn" });
    await ext.next({ type: "notify", message: 'turn_end {"stop":"end_turn"}' });
  });
});
