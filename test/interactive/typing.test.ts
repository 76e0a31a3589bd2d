import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";
import { takesKeys } from "./support/takes-keys.ts";

setDefaultTimeout(30_000);

/** Seven keys a second. */
const KEY_MS = 140;

/** Types like somebody who looks at the keys and not at the screen. */
async function typeBlindly(screen: Screen, text: string): Promise<void> {
  for (const key of text) {
    screen.type(key);
    await Bun.sleep(KEY_MS);
  }
}

/** Lets the offline model call a tool a second from now. */
async function callLater(screen: Screen, call: string): Promise<void> {
  screen.type("sleep 1000");
  await screen.press("ctrlJ");
  screen.type(call);
  await screen.shows(call);
  await screen.press("enter");
  await screen.shows("waiting for the model");
}

/** An extension whose command asks for something only after a while. */
async function lateExtension(dir: string): Promise<string> {
  const folder = join(dir, "late");
  await mkdir(folder);
  await writeFile(join(folder, "extension.json"), JSON.stringify({ name: "late", exec: "./index.ts" }));
  await writeFile(
    join(folder, "index.ts"),
    `import { extension } from "zot/ext";
const ext = extension({ name: "late" });
const keys: string[] = [];
const panel = () => ({ id: "late", title: "Late", lines: ["keys: " + keys.join("")], footer: "" });
ext.onPanelKey("late", ({ key, text }) => {
  keys.push(key === "rune" ? text : key);
  ext.renderPanel(panel());
});
ext.command("later", { description: "opens a panel in a second" }, () => {
  setTimeout(() => ext.openPanel(panel()), 1_000);
});
await ext.run();
`,
  );
  return folder;
}

describe.skipIf(!zotIsBuilt)("somebody who types when something comes up", () => {
  test("answers no question that he has not seen, and loses nothing of what he typed", async () => {
    await using screen = await openScreen([...offline(), "--no-yolo"]);
    await callLater(screen, 'call bash {"command":"touch approved"}');
    const text = "oh, and say yes to All of the other paths";
    const typing = typeBlindly(screen, text);
    await screen.shows("may bash run?");
    await screen.shows("stop typing for a moment to answer");
    await typing;
    await screen.press("enter");
    await takesKeys(screen);
    expect(screen.text).toContain("may bash run?");
    expect(existsSync(join(screen.cwd, "approved"))).toBe(false);
    screen.type("n");
    await screen.shows("denied by user");
    // The prompt is as it was typed, and was not sent with half of it written.
    await screen.shows(` ${text}`);
    expect(screen.text).not.toContain("⧗");
  });

  test("can turn it down at once", async () => {
    await using screen = await openScreen([...offline(), "--no-yolo"]);
    await callLater(screen, 'call bash {"command":"touch approved"}');
    const typing = typeBlindly(screen, "say more about");
    await screen.shows("may bash run?");
    await screen.press("escape");
    await screen.shows("denied by user");
    await typing;
    await screen.shows(" say more about");
    expect(existsSync(join(screen.cwd, "approved"))).toBe(false);
  });

  test("presses no keys of a panel that an extension opens meanwhile", async () => {
    await using dir = await tempDir();
    await using screen = await openScreen(offline(await lateExtension(dir.path)));
    await screen.shows(STARTED);
    await screen.enter("/later");
    const text = "delete all of those";
    const typing = typeBlindly(screen, text);
    await screen.shows("── [late] Late");
    const edge = screen.lines.findIndex((line) => line.includes("── [late] Late"));
    const colour = (): number | undefined => screen.cell(0, edge)?.getFgColor();
    const withoutKeys = colour();
    await typing;
    await screen.shows(` ${text}`);
    await screen.until(() => colour() !== withoutKeys, "the panel to have the keys");
    expect(screen.text).toMatch(/keys:$/m);
    screen.type("x");
    await screen.shows("keys: x");
    expect(screen.text).toContain(` ${text}`);
  });
});
