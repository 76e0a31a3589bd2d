import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { driveExtension, ExtensionDriver } from "../../test/support/extension-driver.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

const node = Bun.which("node");
const runtimes = ["zot", ...(node === null ? [] : ["its shebang"])];

describe.each(runtimes)("clock under %s", (runtime) => {
  const start = () =>
    runtime === "zot"
      ? driveExtension(import.meta.dir)
      : new ExtensionDriver([join(import.meta.dir, "clock.js")], { cwd: import.meta.dir });

  test("tells the time of a zone, and which zone it does not know", async () => {
    await using ext = start();
    await ext.greet();
    expect((await ext.command("clock", "UTC"))["display"]).toMatch(/^\w+day, \d+ \w+ \d{4} at \d\d:\d\d:\d\d UTC$/);
    expect((await ext.command("clock"))["action"]).toBe("display");
    expect((await ext.command("clock", "Mars/Base"))["error"]).toBe('unknown time zone "Mars/Base"; try Europe/Berlin');
  });

  test("acknowledges shutdown and ends with its stdin", async () => {
    await using ext = start();
    await ext.greet();
    ext.send({ type: "from_the_future" });
    expect(await ext.shutdown()).toBe(0);
    expect(ext.lines.at(-1)).toBe('{"type":"shutdown_ack"}');
  });
});

describe.skipIf(!zotIsBuilt)("clock in zot", () => {
  test("/clock prints the time without Node in PATH", async () => {
    const args = ["-p", "--provider", "offline", "--ext", import.meta.dir, "/clock Asia/Tokyo"];
    const result = await runZot(args, { env: { PATH: "" } });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toMatch(/ at \d\d:\d\d:\d\d /);
  });
});
