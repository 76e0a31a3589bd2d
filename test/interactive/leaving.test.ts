import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { zotBinary, zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED, showcase } from "./support/fixtures.ts";
import { openScreen, openShell, openTerminal, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

/** Modes that were switched on are off again, and the screen of before is back. */
function expectGivenBack(screen: Screen): void {
  const { output } = screen;
  expect(screen.isAlternate).toBe(false);
  for (const mode of ["1049", "2004", "1000", "1002", "1003", "1006"]) {
    const on = output.lastIndexOf(`\u001b[?${mode}h`);
    expect(`${mode}: ${output.lastIndexOf(`\u001b[?${mode}l`) >= on}`).toBe(`${mode}: true`);
  }
  expect(output.lastIndexOf("\u001b[?25h")).toBeGreaterThan(output.lastIndexOf("\u001b[?25l"));
  expect(output.lastIndexOf("\u001b[?7h")).toBeGreaterThan(output.lastIndexOf("\u001b[?7l"));
  expect(output.lastIndexOf("\u001b[<u")).toBeGreaterThan(output.lastIndexOf("\u001b[>7u"));
  expect(output.lastIndexOf("\u001b[23;0t")).toBeGreaterThan(output.lastIndexOf("\u001b[22;0t"));
}

describe.skipIf(!zotIsBuilt)("leaving", () => {
  test("/exit and ctrl+d leave with 0", async () => {
    for (const leave of ["/exit\r", "\u0004"]) {
      await using screen = await openScreen(offline());
      await screen.shows("/help");
      screen.type(leave);
      expect(await screen.exits()).toBe(0);
      expectGivenBack(screen);
    }
  });

  test("ctrl+c clears the line first, then asks for a second one", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    screen.type("half a thought");
    await screen.shows("half a thought");
    await screen.press("ctrlC");
    await screen.hides("half a thought");
    await screen.press("ctrlC");
    await screen.shows("ctrl+c once more leaves");
    await screen.press("ctrlC");
    expect(await screen.exits()).toBe(0);
    expectGivenBack(screen);
  });

  for (const [signal, status] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
    ["SIGINT", 130],
  ] as const) {
    test(`${signal} gives the terminal back and stops the extensions`, async () => {
      await using screen = await openScreen(offline(showcase));
      await screen.shows(STARTED);
      const child = Number(
        Bun.spawnSync(["pgrep", "-P", String(screen.process.pid)])
          .stdout.toString()
          .trim(),
      );
      await screen.enter("/panel");
      await screen.shows("Echo");
      screen.process.kill(signal);
      expect(await screen.exits()).toBe(status);
      expectGivenBack(screen);
      expect(Bun.spawnSync(["kill", "-0", String(child)]).exitCode).not.toBe(0);
    });
  }

  test("a terminal that goes away ends it, without a busy loop", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    screen.process.terminal?.close();
    expect(await screen.exits()).toBe(129);
    expect(Number(screen.process.resourceUsage()?.cpuTime.total ?? 0n) / 1e6).toBeLessThan(3);
  });

  test.skipIf(Bun.which("python3") === null)("a terminal that nobody reads does not keep it from ending", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    const stuck = join(import.meta.dir, "fixtures", "stuck-terminal.py");
    const python = Bun.spawn(["python3", stuck, zotBinary, screen.zotHome], { stdout: "pipe" });
    expect(await new Response(python.stdout).text()).toBe("143\n");
  });

  test("a defect of ours gives the terminal back and is told", async () => {
    await using screen = await openTerminal([process.execPath, join(import.meta.dir, "fixtures", "crash.js")]);
    await screen.shows("/help");
    expect(await screen.exits()).toBe(1);
    expectGivenBack(screen);
    await screen.shows("caught: a defect of ours");
  });

  test("ctrl+z where no shell has control of it comes back by itself", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    await screen.press("ctrlZ");
    await screen.until(() => !screen.isAlternate, "the screen to be given back");
    await screen.until(() => screen.isAlternate, "the screen to come back");
    screen.type("still here");
    await screen.shows("still here");
  });

  test("ctrl+z suspends it as a job of the shell, and fg brings it back as it was", async () => {
    await using screen = await openShell();
    await screen.shows("$");
    screen.type(`${zotBinary} --provider offline --no-ext\r`);
    await screen.shows("/help");
    screen.type("not lost");
    await screen.shows("not lost");
    await screen.press("ctrlZ");
    await screen.shows("Stopped");
    expect(screen.isAlternate).toBe(false);
    screen.type("stty -a | grep -o ' echo '; echo typed-$((6*7))\r");
    await screen.shows("typed-42");
    await screen.shows(/^ echo/m);
    screen.type("fg\r");
    await screen.shows(/^ not lost$/m);
    screen.type(" at all");
    await screen.shows("not lost at all");
    await screen.press("ctrlC", "ctrlC");
    await screen.shows("ctrl+c once more leaves");
    await screen.press("ctrlC");
    await screen.shows("$");
    expect(screen.isAlternate).toBe(false);
    screen.type("exit\r");
    await screen.exits();
  });
});
