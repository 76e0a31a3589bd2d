import { expect, spyOn, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { ExtensionProcess } from "../../src/host/launch/process.ts";
import { isRunning } from "../support/host.ts";

test("a process that nothing ends, such as one of another user, is given up after the whole stop sequence", async () => {
  const stderrFd = openSync("/dev/null", "w");
  const child = new ExtensionProcess({
    argv: ["/usr/bin/env", "sleep", "60"],
    cwd: "/",
    env: { PATH: process.env["PATH"] },
    stderrFd,
    dieWithParent: false,
  });
  closeSync(stderrFd);
  const signals: unknown[] = [];
  const kill = spyOn(process, "kill").mockImplementation((_pid, signal) => {
    signals.push(signal);
    throw Object.assign(new Error("operation not permitted"), { code: "EPERM" });
  });
  try {
    await child.end(0);
    expect(signals.slice(0, 2)).toEqual(["SIGTERM", "SIGKILL"]);
    expect(child.exitText).toBeUndefined();
    expect(isRunning(child.pid)).toBe(true);
    // Whoever waits for its end, such as the reader of its stdout, waits no longer.
    await child.exited;
  } finally {
    kill.mockRestore();
    process.kill(child.pid, "SIGKILL");
  }
});
