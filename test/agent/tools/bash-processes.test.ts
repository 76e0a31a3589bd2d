import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { runCommand } from "../../../src/agent/tools/bash/command.ts";
import { bashTool } from "../../../src/agent/tools/bash.ts";
import { liveGroups } from "../../../src/host/launch/live-groups.ts";
import { textOf } from "../../../src/llm/messages.ts";
import { isRunning, until } from "./support/processes.ts";
import { spoolOf } from "./support/spool-file.ts";
import { Workspace } from "./support/workspace.ts";

const posixOnly = test.skipIf(process.platform === "win32");
const linuxOnly = test.skipIf(process.platform !== "linux");

/** Reads a process id that a command has written, once it is there. */
async function pidIn(place: Workspace, name: string): Promise<number> {
  let pid = 0;
  await until(`${name} holds a process id`, () => {
    try {
      pid = Number(readFileSync(place.path(name), "utf8"));
    } catch {
      // Not written yet.
      return false;
    }
    return pid > 0;
  });
  return pid;
}

async function timed<T>(run: Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  return { value: await run, ms: performance.now() - start };
}

posixOnly("a background child that holds the output delays nothing and is terminated", async () => {
  await using place = await Workspace.open();
  const { value, ms } = await timed(place.ok(bashTool, { command: "sleep 300 & echo $! > pid; echo DONE" }));
  expect(value).toEndWith("\n\nDONE\n\n[exit 0]");
  expect(ms).toBeLessThan(2000);
  const pid = await pidIn(place, "pid");
  await until("the child is gone", () => !isRunning(pid));
});

posixOnly("a background child that has let go of the output is terminated too", async () => {
  await using place = await Workspace.open();
  await place.ok(bashTool, { command: "sleep 300 >/dev/null 2>&1 & echo $! > pid" });
  const pid = await pidIn(place, "pid");
  await until("the child is gone", () => !isRunning(pid));
});

posixOnly("a background child that ignores SIGTERM is killed", async () => {
  await using place = await Workspace.open();
  const command = `(trap "" TERM; echo $BASHPID > pid; while :; do sleep 1; done) & until [ -s pid ]; do :; done; echo DONE`;
  const { value, ms } = await timed(place.ok(bashTool, { command }));
  expect(value).toContain("\n\nDONE\n\n");
  expect(ms).toBeLessThan(3000);
  const pid = await pidIn(place, "pid");
  await until("the child is gone", () => !isRunning(pid));
});

linuxOnly("a child in a session of its own that holds the output is killed, and the output is complete", async () => {
  await using place = await Workspace.open();
  const command = `(setsid sh -c 'echo $$ > pid; exec sleep 300' &); until [ -s pid ]; do :; done; seq 1 1500`;
  const { value, ms } = await timed(place.ok(bashTool, { command }));
  expect(value).toContain("\n1499\n1500\n\n[exit 0]");
  expect(ms).toBeLessThan(2000);
  const pid = await pidIn(place, "pid");
  await until("the child is gone", () => !isRunning(pid));
});

posixOnly("what still flows when the shell has exited is waited for", async () => {
  await using place = await Workspace.open();
  expect(await place.ok(bashTool, { command: "seq 1 1500 > >(sleep 0.05; cat)" })).toContain(
    "\n1499\n1500\n\n[exit 0]",
  );
});

posixOnly("a timeout ends the whole group and keeps what was said before", async () => {
  await using place = await Workspace.open();
  const command = "echo before; bash -c 'sleep 300 & echo $! > pid; wait'; echo after";
  const { value, ms } = await timed(place.fails(bashTool, { command, timeout: 1 }));
  expect(value).toBe(`$ ${command}\n\nbefore\n\n[timed out after 1 second(s)]`);
  expect(ms).toBeGreaterThanOrEqual(990);
  expect(ms).toBeLessThan(4000);
  const pid = await pidIn(place, "pid");
  await until("the grandchild is gone", () => !isRunning(pid));
});

posixOnly("a timeout of any size can be given", async () => {
  await using place = await Workspace.open();
  expect(await place.ok(bashTool, { command: "echo hi", timeout: 1e12 })).toEndWith("[exit 0]");
});

posixOnly("cancelling kills grandchildren, even those that ignore SIGTERM", async () => {
  await using place = await Workspace.open();
  const command = `bash -c 'trap "" TERM; echo $$ > pid; while :; do sleep 1; done'`;
  const running = place.fails(bashTool, { command });
  const pid = await pidIn(place, "pid");
  const cancelled = performance.now();
  place.abort.abort();
  expect(await running).toEndWith("\n\n[cancelled]");
  expect(performance.now() - cancelled).toBeLessThan(5000);
  await until("the grandchild is gone", () => !isRunning(pid));
});

posixOnly("a flood can be cancelled", async () => {
  await using place = await Workspace.open();
  const flowing = Promise.withResolvers<void>();
  const context = { ...place.context, progress: () => flowing.resolve() };
  const running = bashTool.run({ command: "yes | head -c 400000000; sleep 300" }, context);
  await flowing.promise;
  place.abort.abort();
  const { value, ms } = await timed(running);
  await using _spool = await spoolOf(textOf(value));
  expect(value.isError).toBeTrue();
  expect(ms).toBeLessThan(5000);
});

posixOnly("a command that was cancelled before it began never runs", async () => {
  await using place = await Workspace.open();
  place.abort.abort();
  expect(await place.fails(bashTool, { command: "touch ran" })).toBe("cancelled");
  expect(await Bun.file(place.path("ran")).exists()).toBeFalse();
});

posixOnly("a reader that fails ends the command instead of blocking it", async () => {
  await using place = await Workspace.open();
  const running = runCommand({
    argv: ["/bin/sh", "-c", "echo $$ > pid; yes"],
    cwd: place.cwd,
    env: { PATH: process.env["PATH"] ?? "" },
    signal: place.abort.signal,
    take: () => Promise.reject(new Error("no more")),
  });
  // Awaited after the other conditions, but heard from the start.
  const failed = expect(running).rejects.toThrow("no more");
  const pid = await pidIn(place, "pid");
  await failed;
  await until("the command is gone", () => !isRunning(pid));
  expect(liveGroups.size).toBe(0);
});

posixOnly("killAll ends what runs at that moment, without waiting", async () => {
  await using place = await Workspace.open();
  const running = place.fails(bashTool, { command: "sleep 300 & echo $! > pid; sleep 300" });
  const pid = await pidIn(place, "pid");
  expect(liveGroups.size).toBe(1);
  liveGroups.killAll();
  expect(await running).toEndWith("[exit 137]");
  await until("the background child is gone", () => !isRunning(pid));
  expect(liveGroups.size).toBe(0);
});

posixOnly("the end of the process leaves nothing behind", async () => {
  await using place = await Workspace.open();
  const script = `
    const { bashTool } = await import(${JSON.stringify(import.meta.resolve("../../../src/agent/tools/bash.ts"))});
    const progress = () => process.exit(7);
    await bashTool.run({ command: "sleep 300 & echo $! > pid; echo go; sleep 300" }, { cwd: ".", signal: new AbortController().signal, progress });
  `;
  const child = Bun.spawn([process.execPath, "-e", script], {
    cwd: place.cwd,
    stdio: ["ignore", "inherit", "inherit"],
  });
  expect(await child.exited).toBe(7);
  const pid = await pidIn(place, "pid");
  await until("the background child is gone", () => !isRunning(pid));
});
