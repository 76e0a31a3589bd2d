import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { chatOf } from "./support/chat.ts";
import { openWorld } from "./support/open-world.ts";
import { ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Panels and chrome, 101 to 103: what a person sees, hears and gets. Driven through a pseudo-terminal.

setDefaultTimeout(30_000);

/** Python: a command of its own name, which sends the frames that its arguments spell out. */
const PUPPET = "puppet()";

describe.skipIf(!zotIsBuilt)("what extensions do beside the transcript", () => {
  test("101 a bell rings once, other alerts and a bell that the user has switched off do nothing", async () => {
    for (const isOn of [true, false]) {
      await using world = await ZotWorld.create([]);
      if (!isOn) {
        mkdirSync(world.zotHome, { recursive: true });
        writeFileSync(join(world.zotHome, "config.json"), JSON.stringify({ terminal_alerts_enabled: false }));
      }
      // Two of them, since one has to wait a second between two alerts.
      const [a, b] = ["a", "b"].map((name) => world.extensions.python(name, PUPPET));
      await using screen = await openWorld(world, a ?? "", b ?? "");
      await screen.enter('/do-a [{"type":"alert","kind":"siren"},{"type":"notify","message":"told"}]');
      await screen.shows("[a] told");
      expect(screen.bells).toBe(0);
      await screen.enter('/do-b [{"type":"alert","kind":"bell"},{"type":"notify","message":"told"}]');
      await screen.shows("[b] told");
      expect(screen.bells).toBe(isOn ? 1 : 0);
    }
  });

  test("102 the user's next prompt takes notes away; clear_notes takes only the sender's", async () => {
    await using world = await ZotWorld.create([{ text: "the answer" }]);
    const [a, b] = ["a", "b"].map((name) => world.extensions.python(name, PUPPET));
    await using screen = await openWorld(world, a ?? "", b ?? "");
    await screen.enter('/do-b [{"type":"notify","message":"this is about [a] and not of it"}]');
    await screen.shows("[b] this is about [a]");
    await screen.enter('/do-a [{"type":"notify","message":"of a itself"}]');
    await screen.shows("[a] of a itself");
    await screen.enter('/do-a [{"type":"clear_notes"}]');
    await screen.hides("[a] of a itself");
    expect(screen.text).toContain("[b] this is about [a] and not of it");
    await screen.enter("the prompt");
    await screen.shows("the answer");
    expect(screen.text).not.toContain("[b] this is about");
  });

  test("103 submit of blanks is nothing, and of !rm x a prompt for the model, not a command for the shell", async () => {
    await using world = await ZotWorld.create([{ text: "the answer" }]);
    const dir = world.extensions.python("a", PUPPET);
    const victim = join(world.extensions.cwd, "x");
    writeFileSync(victim, "");
    await using screen = await openWorld(world, dir);
    await screen.enter('/do-a [{"type":"submit","text":"  "},{"type":"submit","text":"!rm x"}]');
    await screen.shows("the answer");
    expect(screen.text).toContain("› !rm x");
    expect(existsSync(victim)).toBe(true);
    expect(world.server.requests).toHaveLength(1);
    expect(chatOf(world.server, 0).slice(1)).toEqual([{ role: "user", text: "!rm x" }]);
  });
});
