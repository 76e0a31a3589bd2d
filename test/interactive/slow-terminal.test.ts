import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { terminalPath } from "../../src/surfaces/interactive/terminal/terminal-output.ts";
import { tempDir } from "../support/temp-dir.ts";
import { zotBinary, zotIsBuilt } from "../support/zot.ts";

setDefaultTimeout(40_000);

const SCREEN_ON = "\u001b[?1049h";
const SCREEN_OFF = "\u001b[?1049l";
const FRAME = "\u001b[?2026h";
const FRAME_END = "\u001b[?2026l";
const MOUSE_OFF = "\u001b[?1006l\u001b[?1004l\u001b[?1003l\u001b[?1002l\u001b[?1000l";

/** What came from a terminal that was not read for a while (fixtures/behind-terminal.py), from when it was read again. */
async function readAgain(deed: string, wanted: string, moment: "given" | "twice" | "taken" = "given"): Promise<string> {
  await using home = await tempDir();
  await writeFile(join(home.path, "editor"), "#!/bin/sh\nprintf EDITOR-HERE\nread line\n", { mode: 0o755 });
  const fixture = join(import.meta.dir, "fixtures", "behind-terminal.py");
  const argv = ["python3", fixture, zotBinary, home.path, deed, wanted, moment];
  const python = Bun.spawn(argv, { stdout: "pipe" });
  const text: unknown = JSON.parse(await new Response(python.stdout).text());
  await python.exited;
  return String(text);
}

/** All of ours is out, and nothing of it comes after it. */
function expectGivenBack(text: string): void {
  const last = text.indexOf(MOUSE_OFF);
  expect(last).toBeGreaterThan(-1);
  // The frame that was half out came to its end.
  expect(text.slice(0, last)).toEndWith(`${FRAME_END}${FRAME}`);
  expect(text.indexOf(SCREEN_OFF)).toBeGreaterThan(last);
  expect(text.indexOf("\u001b[?2004l")).toBeGreaterThan(last);
  const rest = text.slice(text.indexOf(SCREEN_OFF));
  expect(rest).toContain(FRAME_END);
  expect(rest).not.toContain(FRAME);
}

describe.skipIf(!zotIsBuilt || Bun.which("python3") === null)("a terminal that is far behind", () => {
  test("is given back whole at the end, however much waits for it", async () => {
    const text = await readAgain("SIGTERM", "status=143");
    expectGivenBack(text);
    expect(text.indexOf(SCREEN_OFF)).toBeLessThan(text.indexOf("status=143"));
  });

  test("is given back before ctrl+z stops us", async () => {
    const text = await readAgain("\u001a", "Stopped");
    expectGivenBack(text);
    expect(text.indexOf(SCREEN_OFF)).toBeLessThan(text.indexOf("Stopped"));
  });

  test("is given back before we stop, also when ctrl+z comes again", async () => {
    const text = await readAgain("\u001a", "Stopped", "twice");
    expect(text).toContain(SCREEN_OFF);
    expect(text.indexOf(SCREEN_OFF)).toBeLessThan(text.indexOf("Stopped"));
  });

  test("is given back before the user's editor has it", async () => {
    const text = await readAgain("\u0007", "EDITOR-HERE");
    expectGivenBack(text);
    expect(text).toEndWith("EDITOR-HERE");
    expect(text.indexOf(SCREEN_OFF)).toBeLessThan(text.indexOf("EDITOR-HERE"));
  });

  test("is not lent when it does not catch up", async () => {
    const text = await readAgain("\u0007", "too busy for another program", "taken");
    expect(text).not.toContain("EDITOR-HERE");
    expect(text.lastIndexOf(SCREEN_ON)).toBeGreaterThan(text.lastIndexOf(SCREEN_OFF));
  });
});

describe("the way to the terminal that does not block", () => {
  test("is the terminal itself under a name of its own, where it has one", () => {
    expect(terminalPath("linux", 0x8805)).toBe("/proc/self/fd/1");
    expect(terminalPath("darwin", 0x1000_0003)).toBe("/dev/ttys003");
    expect(terminalPath("darwin", 0x1000_0190)).toBe("/dev/ttys400");
    expect(terminalPath("win32", 0)).toBeUndefined();
  });
});
