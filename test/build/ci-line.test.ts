import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { command } from "../../src/build/command.ts";
import { root } from "../../src/build/project.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "zot-ci-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `.ci/run` with an `npx` that plays the test command and the demo. */
async function ci(tests: { prints: string; code: number }, demoCode = 0) {
  writeFileSync(join(folder, "report"), tests.prints);
  const npx = `#!/bin/sh
case "$*" in
  "-y bun@1.4.5 run test") cat "$(dirname "$0")/report" >&2; exit ${tests.code} ;;
  "-y bun@1.4.5 run demo") echo "the demo"; exit ${demoCode} ;;
esac
exit 99
`;
  writeFileSync(join(folder, "npx"), npx);
  chmodSync(join(folder, "npx"), 0o755);
  const env = { ...process.env, CI: "true", PATH: `${folder}${delimiter}${process.env.PATH ?? ""}` };
  const { code, stdout } = await command(["bash", ".ci/run"], { cwd: root, deadlineMs: 30_000, env });
  return { code, line: stdout.trimEnd().split("\n").at(-1) };
}

const summary = (...counts: string[]) =>
  `${counts.map((count) => ` ${count}\n`).join("")}Ran 9 tests across 2 files. [1s]\n`;

describe("the closing line of .ci/run", () => {
  test("counts what passed", async () => {
    const prints = `(pass) a\n\n${summary("9 pass", "1 skip", "0 fail", "20 expect() calls")}`;
    expect(await ci({ prints, code: 0 })).toEqual({ code: 0, line: "9 passed, 0 failed" });
  });

  test("counts failures and errors, in colour too", async () => {
    const prints = summary("\x1b[32m7 pass\x1b[0m", "\x1b[31m2 fail\x1b[0m", "1 error");
    expect(await ci({ prints, code: 1 })).toEqual({ code: 1, line: "7 passed, 3 failed" });
  });

  test("takes the last summary, not one that a test printed", async () => {
    const prints = summary("1 pass", "5 fail", "2 errors") + summary("8 pass", "1 fail");
    expect(await ci({ prints, code: 1 })).toEqual({ code: 1, line: "8 passed, 1 failed" });
  });

  test("never reads as success when the checks fail before any test runs", async () => {
    expect(await ci({ prints: "check types: FAILED\n", code: 1 })).toEqual({ code: 1, line: "0 passed, 1 failed" });
  });

  test("counts a demo that fails", async () => {
    const prints = summary("9 pass", "0 fail");
    expect(await ci({ prints, code: 0 }, 3)).toEqual({ code: 1, line: "9 passed, 1 failed" });
  });
});
