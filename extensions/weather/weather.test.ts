import { describe, expect, test } from "bun:test";
import { driveExtension } from "../../test/support/extension-driver.ts";
import { runZot, zotIsBuilt } from "../../test/support/zot.ts";

describe.skipIf(Bun.which("python3") === null)("weather", () => {
  test("the same city always has the same weather, in either unit", async () => {
    await using ext = driveExtension(import.meta.dir, { env: { LC_ALL: "C", PYTHONUTF8: "0" } });
    await ext.greet();
    const berlin = await ext.tool("weather", { city: "Berlin" });
    expect(berlin["content"]).toEqual([{ type: "text", text: "Berlin: 16 °C, clear (made up)" }]);
    expect(berlin["is_error"]).toBeUndefined();
    const again = await ext.tool("weather", { city: " BERLIN ", unit: "f" });
    expect(again["content"]).toEqual([{ type: "text", text: "BERLIN: 61 °F, clear (made up)" }]);
    const odd = await ext.tool("weather", { city: "北\u2028京 🎉" });
    expect(JSON.stringify(odd["content"])).toContain("北\u2028京 🎉: ");
  });

  test.each([
    [{}, "city: expected the name of a city"],
    [{ city: 5 }, "city: expected the name of a city"],
    [{ city: "  " }, "city: expected the name of a city"],
    [{ city: "Rome", unit: ["c"] }, 'unit: expected "c" or "f"'],
    [null, "arguments: expected an object"],
  ])("%j is refused: %s", async (args, reason) => {
    await using ext = driveExtension(import.meta.dir);
    await ext.greet();
    expect(await ext.tool("weather", args)).toMatchObject({
      is_error: true,
      content: [{ type: "text", text: `invalid arguments for weather: ${reason}` }],
    });
  });

  test("ends on shutdown and on the end of its stdin", async () => {
    await using told = driveExtension(import.meta.dir);
    await told.greet();
    expect(await told.shutdown()).toBe(0);
    await using cut = driveExtension(import.meta.dir);
    await cut.greet();
    cut.closeStdin();
    expect(await cut.exited).toBe(0);
  });

  test.skipIf(!zotIsBuilt)("the model gets the result of its call", async () => {
    const call = 'call weather {"city":"Berlin"}';
    const result = await runZot(["-p", "--provider", "offline", "--ext", import.meta.dir, call]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toContain("Berlin: 16 °C, clear (made up)");
  });
});
