import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

/** Is ready, or stops, only when a file of that name lies in its folder. */
const GUARD = `#!/usr/bin/env python3
import json, os, sys, time

def wait(name):
    while not os.path.exists(os.path.join(os.path.dirname(os.path.abspath(__file__)), name)):
        time.sleep(0.01)

def send(**frame):
    print(json.dumps(frame), flush=True)

send(type="hello", name="guard", version="1", protocol_version=2)
wait("may-start")
send(type="subscribe", intercept=["tool_call"])
send(type="ready")
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "event_intercept":
        send(type="event_intercept_response", id=frame["id"], block=True, reason="guarded")
    if frame["type"] == "shutdown":
        wait("may-stop")
        sys.exit(0)
`;

async function guard(folder: string): Promise<{ readonly folder: string; allow(what: string): Promise<void> }> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "extension.json"), JSON.stringify({ name: "guard", exec: "./guard.py" }));
  await writeFile(join(folder, "guard.py"), GUARD, { mode: 0o755 });
  return { folder, allow: (what) => writeFile(join(folder, what), "") };
}

describe.skipIf(!zotIsBuilt || Bun.which("python3") === null)("a prompt while extensions cannot take part", () => {
  test("is seen while it waits for them to start, and does not pass by one that guards", async () => {
    await using dir = await tempDir();
    const { folder, allow } = await guard(join(dir.path, "guard"));
    await using screen = await openScreen(offline(folder));
    await screen.shows("guard (starting)");
    await screen.enter('call bash {"command":"echo passed-by"}');
    await screen.shows("⧗ call bash");
    await screen.shows("waiting for extensions to start");
    await allow("may-start");
    await screen.shows("guarded");
    await screen.hides("⧗");
    expect(screen.text).not.toMatch(/^ +passed-by$/m);
    await allow("may-stop");
  });

  test("is taken back with esc, and is not said then", async () => {
    await using dir = await tempDir();
    const { folder, allow } = await guard(join(dir.path, "guard"));
    await using screen = await openScreen(offline(folder));
    await screen.shows("guard (starting)");
    await screen.enter("say too early");
    await screen.shows("⧗ say too early");
    await screen.press("escape");
    await screen.hides("⧗");
    await screen.shows(/^ say too early$/m);
    await allow("may-start");
    await screen.shows(/guard \(\d+ ms\)/);
    await screen.press("ctrlC");
    await screen.enter("say in time");
    await screen.shows(/^in time$/m);
    expect(screen.text).not.toMatch(/^too early$/m);
    await allow("may-stop");
  });

  test("waits for a reload as well", async () => {
    await using dir = await tempDir();
    const { folder, allow } = await guard(join(dir.path, "guard"));
    await allow("may-start");
    await using screen = await openScreen(offline(folder));
    await screen.shows(/guard \(\d+ ms\)/);
    await screen.enter("/reload-ext");
    await screen.shows("reloading extensions");
    await screen.enter('call bash {"command":"echo passed-by"}');
    await screen.shows("⧗ call bash");
    await allow("may-stop");
    await screen.shows("reloaded: 1 stopped, 1 loaded (1 ready)");
    await screen.shows("guarded");
    expect(screen.text).not.toMatch(/^ +passed-by$/m);
  });
});
