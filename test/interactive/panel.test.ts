import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED, showcase, todo } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

describe.skipIf(!zotIsBuilt)("a panel of an extension", () => {
  test("takes keys: a todo is added and ticked", async () => {
    await using dir = await tempDir();
    const own = join(dir.path, "todo");
    // Without the list of whoever tried it in this checkout.
    await cp(todo, own, { recursive: true, filter: (path) => !path.endsWith("todos.json") });
    await using screen = await openScreen(offline(own));
    await screen.shows(STARTED);
    await screen.enter("/todo");
    await screen.shows("Todos (0 open)");
    screen.type("a");
    await screen.shows("an empty line goes back");
    screen.type("buy milk");
    await screen.shows("▸ buy milk▏");
    await screen.press("enter");
    await screen.shows("Todos (1 open)");
    await screen.press("enter");
    await screen.shows("Todos (0 open)");
    await screen.shows("✓ buy milk");
    await screen.press("escape");
    await screen.hides("Todos");
    screen.type("the editor has the keys again");
    await screen.shows("the editor has the keys again");
  });

  test("gets keys by their names, in order, and a paste as characters without its line breaks", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    await screen.enter("/panel");
    await screen.shows("Echo");
    screen.type("aé");
    await screen.press("up", "enter", "tab", "backspace", "pageDown");
    screen.paste("x\r\ny");
    await screen.shows("keys: a é up enter tab backspace pagedown x y");
  });

  test("keeps the editor's text, and the editor gets nothing while the panel has the keys", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    await screen.enter("/panel");
    await screen.shows("Echo");
    await screen.press("escape");
    await screen.hides("Echo");
    screen.type('/frame {"type":"open_panel","panel":{"id":"late","title":"Late","lines":["x"]}}');
    await screen.press("enter");
    await screen.shows("Late");
    screen.type("zzz");
    await screen.settles();
    await screen.press("ctrlC");
    await screen.hides("Late");
    expect(screen.text).not.toContain("zzz");
  });

  test("is a third of the screen at most, and shows the chosen row", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    await screen.enter("/tall");
    await screen.shows("▸ row 200");
    expect(screen.lines.filter((line) => /^\s+(▸ )?row \d+$/.test(line)).length).toBeLessThanOrEqual(8);
    expect(screen.text).toContain("… 193 more");
  });

  test("lives through a resize at any moment, down to 20 by 6", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    await screen.enter("/tall");
    await screen.shows("▸ row 200");
    for (const [cols, rows] of [
      [40, 12],
      [20, 6],
      [120, 40],
      [20, 6],
      [80, 24],
    ] as const) {
      screen.resize(cols, rows);
      await screen.shows("row 200");
      expect(screen.cursor.y).toBeLessThan(rows);
    }
    await screen.press("escape");
    await screen.hides("Tall");
    await screen.enter("say fine");
    await screen.shows(/^fine$/m);
  });

  test("closes when its extension dies, and the user is told", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    await screen.enter("/panel");
    await screen.shows("Echo");
    await screen.press("escape");
    await screen.hides("Echo");
    screen.type('/frame {"type":"open_panel","panel":{"id":"late","title":"Late","lines":["x"]}}');
    await screen.press("enter");
    await screen.shows("Late");
    const child = Bun.spawnSync(["pgrep", "-P", String(screen.process.pid)])
      .stdout.toString()
      .trim();
    process.kill(Number(child), "SIGKILL");
    await screen.hides("Late");
    await screen.shows("[showcase] exited (signal: killed); /reload-ext to restart");
    screen.type("keys go to the editor");
    await screen.shows("keys go to the editor");
  });

  test("a flood of renderings leaves the keys alone", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    await screen.enter("/flood");
    await screen.shows(/note \d+/);
    await screen.shows("Echo");
    const before = performance.now();
    await screen.press("escape");
    await screen.hides("Echo");
    expect(performance.now() - before).toBeLessThan(1_000);
    screen.type("responsive");
    await screen.shows("responsive");
  });
});
