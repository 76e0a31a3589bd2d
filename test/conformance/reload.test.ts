import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openScreen } from "../interactive/support/screen.ts";
import { HostWorld, isRunning } from "../support/host.ts";
import { until } from "../support/until.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Sessions, reload, shutdown, 109 and 110: what a reload replaces, and what it leaves alone.

setDefaultTimeout(30_000);

/** Shell: notes its start, and its end a moment after it was told to end. */
const SLOW_TO_LEAVE = (name: string): string => `
  echo start >> life.log
  echo '{"type":"hello","name":"${name}"}'
  echo '{"type":"ready"}'
  while IFS= read -r line; do :; done
  sleep 0.3
  echo end >> life.log
`;

const lifeOf = (dir: string): string[] => readFileSync(join(dir, "life.log"), "utf8").trim().split("\n");

describe.skipIf(!zotIsBuilt)("on the screen", () => {
  test("109 /reload-ext ends the old processes before it starts new ones, keeps --ext and --no-ext, counts, and leaves errors in sight", async () => {
    await using world = await ZotWorld.create([{ text: "the answer" }]);
    const [a, b] = ["a", "b"].map((name) => world.extensions.shell(name, SLOW_TO_LEAVE(name)));
    if (a === undefined || b === undefined) throw new Error("no extensions");
    const installed = world.extensions.shell("c", SLOW_TO_LEAVE("c"), {}, join(world.zotHome, "extensions"));
    const { home, cwd } = world.extensions;
    await using screen = await openScreen(world.flags([a, b]), { home, cwd, rows: 50, cols: 300 });
    await screen.shows(/b \(\d+ ms\)/);

    await screen.enter("/reload-ext");
    await screen.shows("reloaded: 2 stopped, 2 loaded (2 ready)");
    expect([lifeOf(a), lifeOf(b)]).toEqual([
      ["start", "end", "start"],
      ["start", "end", "start"],
    ]);
    expect(existsSync(join(installed, "life.log"))).toBe(false);

    writeFileSync(join(b, "run"), "#!/bin/sh\nexit 3\n");
    await screen.enter("/reload-ext");
    await screen.shows(
      "reloaded: 2 stopped, 1 loaded (1 ready), 1 error: b: extension exited before hello: exit status 3",
    );
    const error = `extension load: ${b}: extension exited before hello: exit status 3`;
    await screen.enter("the prompt");
    await screen.shows("the answer");
    expect(screen.text).toContain(error);
    expect(world.server.requests[0]?.body).not.toContain("exited before hello");

    world.extensions.shell("b", SLOW_TO_LEAVE("b"));
    await screen.enter("/reload-ext");
    await screen.shows("reloaded: 1 stopped, 2 loaded (2 ready)");
    expect(screen.text).not.toContain(error);
  });
});

test("110 what is left of an old process does nothing to the chrome of the new one, when it ends and before", async () => {
  await using world = await HostWorld.create();
  const dir = world.python(
    "a",
    `
    import subprocess
    marker = os.path.join(HERE, "again")
    isFirst = not os.path.exists(marker)
    open(marker, "w").close()
    if isFirst:
        # It leaves the process group, holds our stdout, and speaks when it is told to.
        child = subprocess.Popen(["sh", "-c", '''
            n=0
            until [ -e go ] || [ $n -gt 1000 ]; do n=$((n + 1)); sleep 0.02; done
            echo '{"type":"widget_clear","id":"w"}'
            echo '{"type":"status","key":"k","text":"of the old one"}'
        '''], start_new_session=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=HERE)
        open(os.path.join(HERE, "child"), "w").write(str(child.pid))
    hello()
    emit("widget", id="w", title="of the first" if isFirst else "of the second")
    ready()
    idle()
    `,
  );
  await world.start();
  const { widgets, statuses } = world.host.chrome;
  expect(widgets.list).toMatchObject([{ id: "w", title: "of the first", generation: 1 }]);
  const child = Number(readFileSync(join(dir, "child"), "utf8"));
  const old = world.extension("a");
  expect(await world.host.reload()).toMatchObject({ stopped: 1, loaded: 1, ready: 1 });
  expect(widgets.list).toMatchObject([{ id: "w", title: "of the second", generation: 2 }]);
  expect(isRunning(child)).toBe(true);

  const before = world.surface.calls.length;
  writeFileSync(join(dir, "go"), "");
  await until("the end of what was left", () => !isRunning(child));
  // The host waits for the end of the old one; should word of it come late all the same, it is the old one's alone.
  world.host.chrome.remove(old);
  expect(widgets.list).toMatchObject([{ id: "w", title: "of the second", generation: 2 }]);
  expect(statuses.list).toEqual([]);
  expect(world.surface.calls.slice(before)).toEqual([]);
});
