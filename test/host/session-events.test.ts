import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HostWorld } from "../support/host.ts";
import { until } from "../support/until.ts";

const SESSION = { context: () => ({ id: "s" }), state: () => undefined };

test("an extension that is still registering when a session begins hears of it once, when it is ready", async () => {
  await using world = await HostWorld.create();
  const dir = world.python(
    "late",
    `
    hello(protocol_version=2)
    emit("subscribe", events=["session_start", "session_switched"])
    open(os.path.join(HERE, "subscribed"), "w").close()
    while not os.path.exists(os.path.join(HERE, "go")):
        # Never silent for long enough to count as ready.
        emit("log", level="info", message="working")
        time.sleep(0.02)
    ready()
    idle()
    `,
  );
  await world.host.start();
  await until("the subscription", () => existsSync(join(dir, "subscribed")));
  // Its frames have been read as far as this.
  await until("the log", () => world.log("late").includes("working"));
  world.host.sessions.emit("session_start", SESSION);
  world.host.sessions.emit("session_switched", SESSION);
  writeFileSync(join(dir, "go"), "");
  await world.host.whenReady();
  world.host.sessions.emit("session_switched", SESSION);
  await until("three events", () => world.framesOf("late", "event").length >= 3);
  expect(world.framesOf("late", "event").map(({ event }) => event)).toEqual([
    "session_start",
    "session_switched",
    "session_switched",
  ]);
});

test("one whose silence was taken for ready hears of the session once it has subscribed and says so itself", async () => {
  await using world = await HostWorld.create();
  const dir = world.python(
    "slow",
    `
    hello(protocol_version=2)
    while not os.path.exists(os.path.join(HERE, "go")):
        time.sleep(0.02)
    emit("subscribe", events=["session_start"])
    ready()
    ready()
    command("slow")
    idle()
    `,
  );
  await world.start();
  expect(world.extension("slow").readiness).toBe("auto");
  world.host.sessions.emit("session_start", SESSION);
  writeFileSync(join(dir, "go"), "");
  await until("all its frames", () => world.host.commands.has("slow"));
  // What is queued behind them has been sent behind them.
  void world.host.commands.invoke("slow", "");
  await world.frame("slow", { type: "command_invoked" });
  expect(world.framesOf("slow", "event")).toMatchObject([{ event: "session_start", session: { id: "s" } }]);
});
