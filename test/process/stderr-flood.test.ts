import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { runZot, zotBinary, zotIsBuilt } from "../support/zot.ts";

setDefaultTimeout(30_000);

const MiB = 1024 * 1024;
/** extensions/README.md: what a log may grow to while its extension runs, and what is kept of one that passed it. */
const RUNNING_MAX = 64 * MiB;
const KEPT = 1 * MiB;
const FLOOD_MIB = 200;

/** Writes its flood first and then does what an extension does, until its stdin ends. */
const FLOOD = `import os, sys
block = (b"x" * 1023 + b"\\n") * 1024
for _ in range(${FLOOD_MIB}): os.write(2, block)
os.write(2, b"the last words\\n")
open("flooded", "w").close()
print('{"type":"hello","name":"flood"}\\n{"type":"ready"}', flush=True)
for line in sys.stdin: pass
`;

async function writeFlood(dir: string): Promise<void> {
  await mkdir(dir);
  await Bun.write(join(dir, "run.py"), FLOOD);
  await Bun.write(join(dir, "extension.json"), JSON.stringify({ name: "flood", exec: "python3", args: ["run.py"] }));
}

const size = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

async function endOf(path: string): Promise<string> {
  await using file = await open(path);
  const length = Math.min(size(path), KEPT);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size(path) - length);
  return buffer.toString();
}

describe.skipIf(!zotIsBuilt)(`an extension that writes ${FLOOD_MIB} MiB of stderr`, () => {
  test("has its log cut while it runs, and the end of what it wrote kept", async () => {
    await using home = await tempDir();
    const [ext, zotHome] = [join(home.path, "ext"), join(home.path, "zot")];
    await writeFlood(ext);
    await using zot = Bun.spawn([zotBinary, "-p", "--provider", "offline", "--no-ext", "--ext", ext, "sleep 600000"], {
      cwd: home.path,
      env: { PATH: process.env["PATH"] ?? "", HOME: home.path, ZOT_HOME: zotHome },
      stdio: ["ignore", "ignore", "ignore"],
    });
    const log = join(zotHome, "logs", "ext-flood.log");
    await until("the flood", () => existsSync(join(ext, "flooded")));
    await until("the log to be cut", () => size(log) < RUNNING_MAX);
    zot.kill("SIGTERM");
    expect(await zot.exited).toBe(143);
    expect(size(`${log}.1`)).toBeGreaterThan(0);
    expect(size(`${log}.1`)).toBeLessThanOrEqual(KEPT);
    // The last cut came before them, or behind them.
    expect((await endOf(log)) + (await endOf(`${log}.1`))).toContain("the last words");
  });

  test("leaves no more than that behind when the run is over before anybody has looked", async () => {
    await using home = await tempDir();
    const ext = join(home.path, "ext");
    await writeFlood(ext);
    for (let start = 0; start < 2; start += 1) {
      const { code } = await runZot(["-p", "--provider", "offline", "--no-ext", "--ext", ext, "say hi"], {
        home: home.path,
      });
      expect(code).toBe(0);
      const log = join(home.path, "zot", "logs", "ext-flood.log");
      expect(size(log)).toBeGreaterThan(0);
      expect(size(log)).toBeLessThanOrEqual(RUNNING_MAX);
      expect(size(`${log}.1`)).toBeLessThanOrEqual(RUNNING_MAX);
    }
  });
});
