import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HostWorld, isRunning } from "../support/host.ts";
import { until } from "../support/until.ts";

/** Notes its starts and ends; takes its time to end. */
const SLOW_TO_LEAVE = `
life = open(os.path.join(HERE, "life.log"), "a", buffering=1)
life.write("start\\n")
hello()
tool("work")
command("run")
emit("subscribe", intercept=["turn_start"])
emit("status", key="k", text="started")
ready()
try:
    idle()
finally:
    time.sleep(0.3)
    life.write("end\\n")
`;

function lifeOf(world: HostWorld, name: string): string[] {
  return readFileSync(join(world.home, "extensions", name, "life.log"), "utf8")
    .trim()
    .split("\n");
}

test("a reload replaces every process, new ones after the old ones have ended, and counts", async () => {
  await using world = await HostWorld.create();
  world.python("a", SLOW_TO_LEAVE);
  world.puppet("b");
  world.files("themed", { "theme.json": {}, "extension.json": { name: "themed" } });
  await world.start();
  const old = [world.pid("a"), world.pid("b")];
  const generations = world.host.extensions.map(({ generation }) => generation);

  expect(await world.host.reload()).toEqual({ stopped: 3, loaded: 3, ready: 3, errors: [] });
  expect(old.some(isRunning)).toBe(false);
  expect(lifeOf(world, "a")).toEqual(["start", "end", "start"]);
  expect(world.host.extensions.map(({ name }) => name)).toEqual(["a", "b", "themed"]);
  expect(Math.min(...world.host.extensions.map(({ generation }) => generation))).toBeGreaterThan(
    Math.max(...generations),
  );
  expect(world.host.tools.offered.map(({ name }) => name)).toEqual(["work"]);
  // An ordered end is no crash.
  expect(world.surface.notes).toEqual([]);
});

test("what changed on disk counts: edited, added, removed, disabled, broken and failing ones", async () => {
  await using world = await HostWorld.create();
  for (const name of ["edited", "removed", "disabled", "broken", "failing"]) world.puppet(name);
  await world.start();

  world.puppet("edited", { registrations: [{ type: "register_tool", name: "new_tool" }] });
  world.puppet("added");
  rmSync(join(world.home, "extensions", "removed"), { recursive: true });
  world.files("disabled", {
    "extension.json": { name: "disabled", exec: "python3", args: ["main.py"], enabled: false },
  });
  world.files("broken", { "extension.json": "{" });
  world.python("failing", "sys.exit(3)");
  const report = await world.host.reload();
  expect(report).toMatchObject({ stopped: 5, loaded: 2, ready: 2 });
  expect(report.errors.map(({ candidate, text }) => [candidate.name, text.replace(/ \(.*/, "")])).toEqual([
    ["broken", expect.stringContaining("parse manifest: ")],
    ["failing", "extension exited before hello: exit status 3"],
  ]);
  expect(world.host.loadErrors).toEqual(report.errors);
  expect(world.host.tools.offered.map(({ name }) => name)).toEqual(["new_tool"]);
  expect(world.host.extensions.filter(({ state }) => state === "ready").map(({ name }) => name)).toEqual([
    "added",
    "edited",
  ]);

  for (const name of ["broken", "failing"]) rmSync(join(world.home, "extensions", name), { recursive: true });
  expect((await world.host.reload()).errors).toEqual([]);
  expect(world.host.loadErrors).toEqual([]);
});

test("explicit paths are remembered, and without discovery nothing else joins", async () => {
  await using elsewhere = await HostWorld.create();
  const path = elsewhere.puppet("mine");
  await using world = await HostWorld.create({ host: { explicit: [path], scan: false } });
  world.puppet("installed");
  await world.start();
  expect(await world.host.reload()).toMatchObject({ stopped: 1, loaded: 1, ready: 1 });
  expect(world.host.extensions.map(({ name, scope }) => `${scope} ${name}`)).toEqual(["explicit mine"]);
});

test("calls to the old processes end at once, while those still take their time to leave", async () => {
  await using world = await HostWorld.create();
  const dir = world.python(
    "a",
    `
    hello()
    tool("work")
    command("run")
    emit("subscribe", intercept=["turn_start"])
    ready()
    try:
        idle()
    finally:
        while not os.path.exists(os.path.join(HERE, "leave")):
            time.sleep(0.01)
    `,
  );
  await world.start();
  const pid = world.pid("a");
  const signal = new AbortController().signal;
  const ends = Promise.all([
    world.host.tools.call("work", "{}", signal),
    world.host.commands.invoke("run", ""),
    world.host.intercepts.turnStart(1, signal),
  ]);
  await world.frame("a", { type: "tool_call" });
  const reloaded = world.host.reload();
  const [tool, command, turn] = await ends;
  expect(isRunning(pid)).toBe(true);
  expect([world.host.tools.offered, world.host.commands.offered]).toEqual([[], []]);
  writeFileSync(join(dir, "leave"), "");
  expect(tool).toMatchObject({ isError: true, content: [{ type: "text", text: "extension a disconnected" }] });
  expect(command).toEqual({ kind: "error", text: "extension /run: extension a disconnected" });
  expect(turn).toMatchObject({ kind: "allowed" });
  await reloaded;
});

test("chrome, panel and dialogs of the old generation go, those of the new one stay", async () => {
  await using world = await HostWorld.create();
  world.python(
    "a",
    `
    hello()
    emit("status", key="k", text="started")
    emit("widget", id=str(os.getpid()), lines=["x"])
    emit("open_panel", panel={"id": str(os.getpid())})
    emit("extension_ui_request", id="u", method="confirm", title="T", message="M")
    ready()
    idle()
    `,
  );
  await world.start();
  const { chrome, panels, dialogs, attention } = world.host;
  const before = panels.open?.id;
  await world.host.reload();
  const [status] = chrome.statuses.list;
  expect(status).toMatchObject({ text: "started", generation: 2 });
  expect(chrome.widgets.list.map(({ id }) => id)).toEqual([String(world.pid("a"))]);
  expect(panels.open?.id).not.toBe(before);
  expect(panels.open?.generation).toBe(2);
  expect(dialogs.open.map(({ generation }) => generation)).toEqual([2]);
  expect(attention.asking).toEqual([{ extension: "a", generation: 2 }]);
  expect(world.surface.asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  // The surface heard of the end of the old before anything of the new.
  const calls = world.surface.calls.map(({ call }) => call);
  expect(calls.indexOf("clearChrome")).toBeLessThan(calls.lastIndexOf("status"));
});

test("a process that ignores shutdown and SIGTERM is killed with its children before the new one starts", async () => {
  await using world = await HostWorld.create();
  world.python(
    "stubborn",
    `
    import signal, subprocess
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "60"], preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN))
    open(os.path.join(HERE, "child"), "a").write(str(child.pid) + "\\n")
    hello()
    ready()
    while True:
        time.sleep(60)
    `,
  );
  await world.start();
  const pid = world.pid("stubborn");
  const started = performance.now();
  expect(await world.host.reload()).toMatchObject({ stopped: 1, loaded: 1, ready: 1 });
  // 2 s of grace and 1 s after SIGTERM.
  expect(performance.now() - started).toBeLessThan(4_500);
  const [child] = readFileSync(join(world.home, "extensions", "stubborn", "child"), "utf8")
    .split("\n")
    .map(Number);
  expect([pid, child ?? 0].some(isRunning)).toBe(false);
}, 15_000);

describe("stop", () => {
  test("during a reload ends everything and starts nothing", async () => {
    await using world = await HostWorld.create();
    world.python("a", SLOW_TO_LEAVE);
    world.puppet("b");
    await world.start();
    const pids = [world.pid("a"), world.pid("b")];
    const reloaded = world.host.reload();
    await world.frame("a", { type: "shutdown" });
    await world.host.stop(2_000);
    expect(await reloaded).toEqual({ stopped: 2, loaded: 0, ready: 0, errors: [] });
    expect(pids.some(isRunning)).toBe(false);
    expect(lifeOf(world, "a")).toEqual(["start", "end"]);
    expect(await world.host.reload()).toMatchObject({ loaded: 0 });
  });

  test("while the new processes of a reload start ends those too", async () => {
    await using world = await HostWorld.create();
    // The second start never says hello.
    world.python(
      "a",
      `
      marker = os.path.join(HERE, "again")
      if os.path.exists(marker):
          open(os.path.join(HERE, "silent"), "w").write("")
          idle()
      open(marker, "w").write("")
      hello()
      ready()
      idle()
      `,
    );
    await world.start();
    const reloaded = world.host.reload();
    await until("the silent start", () => existsSync(join(world.home, "extensions", "a", "silent")));
    const pid = world.pid("a");
    await world.host.stop(500);
    expect(await reloaded).toMatchObject({ stopped: 1, loaded: 0, ready: 0, errors: [] });
    expect(isRunning(pid)).toBe(false);
  });

  test("before anything has started starts nothing", async () => {
    await using world = await HostWorld.create();
    const dir = world.puppet("a");
    const started = world.host.start();
    await world.host.stop(0);
    await started;
    expect(existsSync(join(dir, "pid"))).toBe(false);
    expect(world.host.loadErrors).toEqual([]);
  });

  test("called twice waits for the same end", async () => {
    await using world = await HostWorld.create();
    world.python("a", SLOW_TO_LEAVE);
    await world.start();
    const pid = world.pid("a");
    void world.host.stop(2_000);
    await world.host.stop(0);
    expect(isRunning(pid)).toBe(false);
  });
});

test("a reload during the start takes over", async () => {
  await using world = await HostWorld.create();
  world.python("slow", `time.sleep(0.5)\n${SLOW_TO_LEAVE}`);
  const started = world.host.start();
  await until("the spawn", () => existsSync(join(world.home, "extensions", "slow", "pid")));
  const report = await world.host.reload();
  await started;
  expect(report).toMatchObject({ stopped: 1, loaded: 1, ready: 1, errors: [] });
  expect(world.host.loadErrors).toEqual([]);
  expect(world.extension("slow").state).toBe("ready");
});

test("reloads that overlap are one", async () => {
  await using world = await HostWorld.create();
  world.python("a", SLOW_TO_LEAVE);
  await world.start();
  const [first, second] = await Promise.all([world.host.reload(), world.host.reload()]);
  expect(first).toBe(second);
  expect(lifeOf(world, "a")).toEqual(["start", "end", "start"]);
});
