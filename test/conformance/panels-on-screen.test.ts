import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { zotIsBuilt } from "../support/zot.ts";
import { resultsIn } from "./support/chat.ts";
import { openWorld } from "./support/open-world.ts";
import { ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Panels and chrome, 94: what a person's keys do to a panel. Driven through a pseudo-terminal.

setDefaultTimeout(30_000);

/** Python: a tool that opens a panel and waits for its end. */
const WAITING = `
hello()
tool("ask")
ready()
call = None
for frame in frames():
    if frame["type"] == "tool_call":
        call = frame
        emit("open_panel", panel={"id": "q", "title": "A question"})
    if frame["type"] == "panel_close":
        result(call, "closed " + frame["panel_id"])
`;

describe.skipIf(!zotIsBuilt)("a panel of an extension on the screen", () => {
  test("094 is closed by Esc and by Ctrl-C, its owner is told, and the turn goes on", async () => {
    const turns = ["first", "second"].flatMap((word) => [
      { calls: [{ name: "ask" }] },
      { text: `the ${word} turn ended` },
    ]);
    await using world = await ZotWorld.create(turns);
    const dir = world.extensions.python("a", WAITING);
    await using screen = await openWorld(world, dir);
    for (const [key, word] of [
      ["escape", "first"],
      ["ctrlC", "second"],
    ] as const) {
      await screen.enter(`the ${word} prompt`);
      await screen.shows("A question");
      await screen.press(key);
      await screen.shows(`the ${word} turn ended`);
      expect(screen.text).not.toContain("A question");
      // Neither key was one for the turn or for zot itself.
      expect(screen.text).not.toContain("cancelled");
      expect(screen.text).not.toContain("once more leaves");
    }
    expect(world.extensions.framesOf("a", "panel_close")).toEqual([
      { type: "panel_close", panel_id: "q" },
      { type: "panel_close", panel_id: "q" },
    ]);
    expect(world.extensions.framesOf("a", "panel_key")).toEqual([]);
    expect(resultsIn(world.server, 3)).toEqual(["closed q", "closed q"]);
  });
});
