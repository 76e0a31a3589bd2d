import { describe, expect, test } from "bun:test";
import { closeSync, constants, existsSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type TempDir, tempDir } from "../support/temp-dir.ts";
import { until } from "../support/until.ts";
import { runZot, zotBinary, zotIsBuilt } from "../support/zot.ts";

// What is on the other end of stdout and stdin: a reader that has stopped, a full disk, a folder, a terminal.

const OFFLINE = ["--provider", "offline", "--no-session"];
/** Far more than a pipe takes. */
const LONG = Array.from({ length: 100 }, () => `say ${"y".repeat(1000)}`).join("\n");
const ESCAPES = "say \u001b[31mred\u001b]52;c;eA==\u0007\u009b2Jend";

function environment(dir: TempDir): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: dir.path, ZOT_HOME: join(dir.path, "zot"), LANG: "C.UTF-8" };
}

/** Whether a pipe has room for one byte, which it gets. */
function takesMore(pipe: number): boolean {
  try {
    return writeSync(pipe, ".") === 1;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") return false;
    throw error;
  }
}

/** Its exit status and everything on the screen, where `last` comes last. */
async function onTerminal(args: readonly string[], last: string): Promise<readonly [number, string]> {
  await using dir = await tempDir("zot-terminal-");
  const decoder = new TextDecoder();
  let screen = "";
  const terminal = new Bun.Terminal({
    data: (_, data) => {
      screen += decoder.decode(data, { stream: true });
    },
  });
  try {
    const zot = Bun.spawn([zotBinary, ...args], { cwd: dir.path, env: environment(dir), terminal });
    const status = await zot.exited;
    // What it has written may still be on its way.
    await until(`${JSON.stringify(last)} on the screen`, () => screen.trimEnd().endsWith(last));
    return [status, screen];
  } finally {
    terminal.close();
  }
}

describe.skipIf(!zotIsBuilt)("a run", () => {
  test.skipIf(process.platform === "win32").each(["-p", "--stream", "--json"])(
    "%s ends on a signal although nobody reads",
    async (mode) => {
      await using dir = await tempDir("zot-stuck-");
      const pipe = join(dir.path, "pipe");
      Bun.spawnSync(["mkfifo", pipe]);
      const stdout = openSync(pipe, constants.O_RDWR);
      const probe = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      const zot = Bun.spawn([zotBinary, mode, ...OFFLINE, LONG], {
        cwd: dir.path,
        env: environment(dir),
        stdin: "ignore",
        stdout,
        stderr: "ignore",
      });
      try {
        await until("the pipe is full", () => !takesMore(probe));
        zot.kill("SIGTERM");
        expect(await Promise.race([zot.exited, Bun.sleep(10_000)])).toBe(143);
      } finally {
        zot.kill("SIGKILL");
        closeSync(probe);
        closeSync(stdout);
      }
    },
  );

  test.skipIf(!existsSync("/dev/full"))("fails when its answer does not fit on the disk", async () => {
    await using dir = await tempDir("zot-full-");
    const zot = Bun.spawn([zotBinary, "-p", ...OFFLINE, "say hi"], {
      cwd: dir.path,
      env: environment(dir),
      stdin: "ignore",
      stdout: Bun.file("/dev/full"),
      stderr: "pipe",
    });
    expect(await new Response(zot.stderr).text()).toContain("cannot write to stdout");
    expect(await zot.exited).toBe(1);
  });

  test("takes a folder on stdin for no input", async () => {
    await using dir = await tempDir("zot-folder-");
    const folder = openSync(dir.path, "r");
    const zot = Bun.spawn([zotBinary, "-p", ...OFFLINE, "say hi"], {
      cwd: dir.path,
      env: environment(dir),
      stdin: folder,
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(await new Response(zot.stderr).text()).toBe("");
    expect(await new Response(zot.stdout).text()).toBe("hi\n");
    expect(await zot.exited).toBe(0);
    closeSync(folder);
  });

  test.each(["-p", "--stream"])(
    "%s shows a terminal no escape sequences of the model, and a pipe all of them",
    async (mode) => {
      const [status, screen] = await onTerminal([mode, ...OFFLINE, ESCAPES], "end");
      expect([status, screen.trim()]).toEqual([0, "redend"]);
      expect((await runZot([mode, ...OFFLINE, ESCAPES])).stdout).toBe(`${ESCAPES.slice(4)}\n`);
    },
  );

  test("colours on a terminal what went wrong, and nothing else", async () => {
    const note = await onTerminal(["-p", ...OFFLINE, "-e", "/nothing-there", "say hi"], "hi");
    expect(note[1]).toContain("/nothing-there");
    expect(note[1]).not.toContain("\u001b");
    const fault = await onTerminal(["--bogus"], "\u001b[0m");
    expect(fault[1]).toStartWith("\u001b[31mzot: unknown flag");
  });

  test("NO_COLOR outranks FORCE_COLOR, on stderr and in the help", async () => {
    const both = { env: { NO_COLOR: "1", FORCE_COLOR: "1" } };
    expect((await runZot(["--bogus"], both)).stderr).toStartWith("zot: unknown flag");
    expect((await runZot(["help"], both)).stdout).not.toContain("\u001b");
    expect((await runZot(["help"], { env: { NO_COLOR: "", FORCE_COLOR: "1" } })).stdout).toContain("\u001b");
  });
});
