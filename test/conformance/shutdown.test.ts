import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HostWorld, isRunning } from "../support/host.ts";
import { until } from "../support/until.ts";
import { zotBinary, zotIsBuilt } from "../support/zot.ts";
import { openWorld } from "./support/open-world.ts";
import { ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Sessions, reload, shutdown, 111 to 114: how extensions end, with the host and without it.

setDefaultTimeout(30_000);

/** Each writes to `life.log` what reaches it: `shutdown`, `eof`, and `signal` for one that it should not get. */
const OBEDIENT = {
  python: `
    import signal
    life = open(os.path.join(HERE, "life.log"), "a", buffering=1)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: life.write("signal\\n"))
    hello()
    ready()
    for line in sys.stdin:
        if json.loads(line)["type"] == "shutdown":
            life.write("shutdown\\n")
    life.write("eof\\n")
    `,
  shell: `
    trap 'echo signal >> life.log' TERM INT HUP
    echo '{"type":"hello","name":"shell"}'
    echo '{"type":"ready"}'
    while IFS= read -r line; do
      case "$line" in *'"type":"shutdown"'*) echo shutdown >> life.log;; esac
    done
    echo eof >> life.log
    `,
  typescript: `
    import { appendFileSync } from "node:fs";
    const note = (word: string): void => appendFileSync("life.log", word + "\\n");
    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => note("signal"));
    console.log('{"type":"hello","name":"typescript"}');
    console.log('{"type":"ready"}');
    let text = "";
    for await (const chunk of process.stdin) text += chunk;
    if (text.includes('{"type":"shutdown"}')) note("shutdown");
    note("eof");
    `,
};

function writeObedient(world: HostWorld): string[] {
  return [
    world.python("python", OBEDIENT.python),
    world.shell("shell", OBEDIENT.shell),
    world.files("typescript", {
      "index.ts": OBEDIENT.typescript,
      "extension.json": { name: "typescript", exec: "./index.ts" },
    }),
  ];
}

const lifeOf = (dir: string): string[] => readFileSync(join(dir, "life.log"), "utf8").trim().split("\n");

test("111 at the end every extension gets shutdown and the end of its stdin, and one that obeys gets no signal", async () => {
  await using world = await HostWorld.create();
  const dirs = writeObedient(world);
  await world.start();
  expect(world.loadErrors).toEqual([]);
  await world.host.stop(2_000);
  for (const dir of dirs) expect(lifeOf(dir)).toEqual(["shutdown", "eof"]);
  const ends = world.host.extensions.map((extension) => extension.exitText(0));
  expect(await Promise.all(ends)).toEqual(Array(3).fill("exit status 0"));
});

/** Python: takes no notice of shutdown and SIGTERM, nor does the program that it starts. */
const STUBBORN = `
import signal, subprocess
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen(["sleep", "60"])
open(os.path.join(HERE, "child"), "w").write(str(child.pid))
hello()
ready()
while True:
    time.sleep(60)
`;

/** Starts so many of them, stops them, and gives the ms that this took; throws when one of their processes is left. */
async function stopStubborn(count: number): Promise<number> {
  await using world = await HostWorld.create();
  const names = Array.from({ length: count }, (_, n) => `s${n}`);
  for (const name of names) world.python(name, STUBBORN);
  await world.start();
  const pids = names.flatMap((name) => {
    return [world.pid(name), Number(readFileSync(join(world.home, "extensions", name, "child"), "utf8"))];
  });
  expect(pids.every(isRunning)).toBe(true);
  const before = performance.now();
  await world.host.stop(2_000);
  const ms = performance.now() - before;
  await until("the end of all of them", () => !pids.some(isRunning), 1_000);
  const ends = world.host.extensions.map((extension) => extension.exitText(0));
  expect(await Promise.all(ends)).toEqual(Array(count).fill("signal: killed"));
  return ms;
}

test("112 one that ignores shutdown and SIGTERM is killed with its children after 3 s, and many take no longer than one", async () => {
  const [one, many] = await Promise.all([stopStubborn(1), stopStubborn(6)]);
  for (const ms of [one, many]) {
    expect(ms).toBeGreaterThan(2_900);
    expect(ms).toBeLessThan(5_500);
  }
});

describe.skipIf(!zotIsBuilt)("of the built zot", () => {
  test("113 SIGTERM in print mode runs the same stop sequence, and the status is 143", async () => {
    await using world = await HostWorld.create();
    const dirs = writeObedient(world);
    const flags = ["--provider", "offline", "--no-ext", ...dirs.flatMap((dir) => ["--ext", dir])];
    const watcher = world.python("watcher", 'hello()\nemit("subscribe", events=["turn_start"])\nready()\nidle()');
    await using zot = Bun.spawn([zotBinary, "-p", ...flags, "--ext", watcher, "sleep 600000"], {
      cwd: world.cwd,
      env: { PATH: process.env["PATH"] ?? "", HOME: world.home, ZOT_HOME: world.home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    await world.frame("watcher", { event: "turn_start" });
    zot.kill("SIGTERM");
    expect(await zot.exited).toBe(143);
    for (const dir of dirs) expect(lifeOf(dir)).toEqual(["shutdown", "eof"]);
    expect(world.received("watcher").at(-1)).toEqual({ type: "shutdown" });
    expect(await new Response(zot.stdout).text()).toBe("");
    expect(await new Response(zot.stderr).text()).toBe("");
  });

  test("114 the crash of an extension leaves the rest alone; its commands give an error, and it is not started again", async () => {
    await using world = await ZotWorld.create([{ text: "the answer" }]);
    const fragile = world.extensions.shell(
      "fragile",
      `
      echo start >> life.log
      echo '{"type":"hello","name":"fragile"}'
      echo '{"type":"register_command","name":"boom"}'
      echo '{"type":"ready"}'
      while IFS= read -r line; do
        case "$line" in *command_invoked*) exit 7;; esac
      done
      `,
    );
    const sound = world.extensions.python("sound", "puppet()");
    await using screen = await openWorld(world, fragile, sound);
    await screen.enter("/boom");
    await screen.shows("✗ extension /boom: extension fragile disconnected");
    await screen.shows("[fragile] exited (exit status 7); /reload-ext to restart");
    await screen.enter("/boom");
    await screen.shows("✗ there is no command /boom");
    await screen.press("ctrlC");
    await screen.enter('/do-sound [{"type":"notify","message":"still here"}]');
    await screen.shows("[sound] still here");
    await screen.enter("the prompt");
    await screen.shows("the answer");
    expect(lifeOf(fragile)).toEqual(["start"]);
  });
});
