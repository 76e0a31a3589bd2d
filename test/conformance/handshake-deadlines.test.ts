import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openScreen } from "../interactive/support/screen.ts";
import { HostWorld, isRunning } from "../support/host.ts";
import { ManualTimers } from "../support/manual-timers.ts";
import { until } from "../support/until.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { doctor } from "./support/doctor.ts";

// extension-host.md §10, Handshake: children that let the host wait.

setDefaultTimeout(30_000);

/** A shell script that never says a word; leaves its process id and that of a child of its own. */
const SILENT = `
echo $$ > pid
sleep 600 & echo $! > grandchild
while :; do sleep 600; done
`;

/** Python: sends a frame at least every 100 ms, and never ready. */
const CHATTY = `
hello()
def chatter():
    while True:
        emit("status", key="k", text=str(time.monotonic()))
        time.sleep(0.02)
threading.Thread(target=chatter, daemon=True).start()
command("c-" + NAME)
for frame in frames():
    if frame["type"] == "command_invoked":
        respond(frame, action="noop")
`;

/** The process ids that the silent extension in `dir` has left. */
function pidsOf(dir: string): number[] {
  return ["pid", "grandchild"].map((file) => Number(readFileSync(join(dir, file), "utf8")));
}

describe("a child", () => {
  test("031 that closes its stdout before hello and lives on is killed within a second, and the error says so", async () => {
    await using world = await HostWorld.create();
    const dir = world.shell("a", `echo $$ > pid\nexec >&-\nwhile :; do sleep 600; done`);
    const started = performance.now();
    await world.start();
    expect(performance.now() - started).toBeWithin(950, 3_000);
    const log = join(world.home, "logs", "ext-a.log");
    expect(world.loadErrors).toEqual([
      `${dir}: extension closed stdout before hello without exiting (stderr log: ${log})`,
    ]);
    expect(isRunning(Number(readFileSync(join(dir, "pid"), "utf8")))).toBe(false);
  });

  test.skipIf(!zotIsBuilt)(
    "032 that stays silent fails after 10 s, after 60 s when it may have to be fetched first, and its process group is gone; a screen is of use after 3 s",
    async () => {
      const timers = new ManualTimers();
      const env: Record<string, string> = {};
      await using world = await HostWorld.create({ host: { timers, env } });
      const bin = join(world.cwd, "bin");
      env["PATH"] = `${bin}:${process.env["PATH"] ?? ""}`;
      mkdirSync(bin);
      writeFileSync(join(bin, "npx"), `#!/bin/sh\n${SILENT}`);
      chmodSync(join(bin, "npx"), 0o755);
      const quick = world.shell("quick", SILENT);
      const fetched = world.files("fetched", { "extension.json": { name: "fetched", exec: "npx", args: ["-y", "x"] } });
      const dirs = [quick, fetched];

      const started = world.host.start();
      await until(
        "both to run",
        () => timers.running === 2 && dirs.every((dir) => existsSync(join(dir, "grandchild"))),
      );
      const pids = dirs.map(pidsOf);
      const state = (name: string): string => world.extension(name).state;
      timers.pass(9_999);
      expect([state("quick"), state("fetched")]).toEqual(["starting", "starting"]);
      timers.pass(1);
      await until("the first to be given up", () => state("quick") === "gone");
      timers.pass(49_999);
      expect(state("fetched")).toBe("starting");
      timers.pass(1);
      await started;
      const error = (name: string, dir: string, seconds: number): string =>
        `${dir}: no hello within ${seconds}s (stderr log: ${join(world.home, "logs", `ext-${name}.log`)})`;
      expect(world.loadErrors.sort()).toEqual([error("fetched", fetched, 60), error("quick", quick, 10)]);
      for (const pid of pids.flat()) expect(isRunning(pid)).toBe(false);

      await using screen = await openScreen(["--provider", "offline", "--no-ext", "--ext", quick]);
      const opened = performance.now();
      await screen.enter("say it works");
      await screen.shows(/^it works$/m);
      // While its hello is still waited for: the process is there.
      expect(performance.now() - opened).toBeLessThan(8_000);
      expect(pidsOf(quick).every(isRunning)).toBe(true);
      screen.process.kill("SIGTERM");
      expect(await screen.exits()).toBe(143);
      expect(pidsOf(quick).some(isRunning)).toBe(false);
    },
  );

  test("035 that sends no ready but falls silent for 250 ms counts as ready, with a diagnostic", async () => {
    await using world = await HostWorld.create();
    world.python(
      "a",
      `
      hello()
      command("c")
      idle()
      `,
    );
    await world.host.start();
    const shaken = performance.now();
    await world.host.whenReady();
    // Long before the deadline of those that never fall silent.
    expect(performance.now() - shaken).toBeWithin(200, 2_500);
    expect(world.extension("a").readiness).toBe("auto");
    expect(world.host.registry.commands.map(({ name }) => name)).toEqual(["c"]);
    expect(world.diagnostics("a")).toEqual(["no ready frame; auto-ready after idle"]);
    expect(world.log("a")).toContain("[zot] no ready frame; auto-readying after idle (legacy SDK?)\n");
  });

  test.skipIf(!zotIsBuilt)(
    "036 that keeps sending frames without ready holds up a start for 3 s: two of them are released together and marked ready-timeout",
    async () => {
      await using world = await HostWorld.create();
      for (const name of ["a", "b"]) world.python(name, CHATTY);
      const report = doctor(world);
      await world.host.start();
      const shaken = performance.now();
      await world.host.whenReady();
      expect(performance.now() - shaken).toBeWithin(2_900, 4_500);
      for (const name of ["a", "b"]) {
        expect(world.extension(name).readiness).toBe("timeout");
        expect(world.diagnostics(name)).toEqual(["timed out waiting for ready frame"]);
        // What it sends and registers still counts.
        expect((await world.host.commands.invoke(`c-${name}`, "")).kind).toBe("noop");
      }
      for (const name of ["a", "b"]) expect(await report).toContain(`${name} [global] ready-timeout (`);
    },
  );
});
