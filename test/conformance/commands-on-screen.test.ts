import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Screen } from "../interactive/support/screen.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { chatOf } from "./support/chat.ts";
import { openWorld } from "./support/open-world.ts";
import { ZotWorld } from "./support/zot-world.ts";

// extension-host.md §10, Commands: what a person sees of them. Driven through a pseudo-terminal.

setDefaultTimeout(30_000);

/** Python: answers each command with the members that are given as its arguments in JSON. */
const OBEDIENT = `
hello()
command("x")
ready()
for frame in frames():
    if frame["type"] == "command_invoked":
        respond(frame, **json.loads(frame["args"]))
`;

/** Waits for a row that is `text` behind the mark of an error, and gives the colour of the mark. */
async function colourOfError(screen: Screen, text: string): Promise<number | undefined> {
  await screen.shows(`✗ ${text}`);
  const row = screen.lines.findIndex((line) => line.includes(`✗ ${text}`));
  return screen.cell(screen.lines[row]?.indexOf("✗") ?? 0, row)?.getFgColor();
}

/** `error` of the dark theme. */
const RED = 0xf7768e;

describe.skipIf(!zotIsBuilt)("commands, on the screen", () => {
  test("050 a command with the name of a built-in never runs: the built-in does, the log and doctor tell", async () => {
    await using world = await ZotWorld.create([]);
    const dir = world.extensions.python("a", 'hello()\ncommand("Help")\nready()\nidle()');
    await using screen = await openWorld(world, dir);
    await screen.enter("/HELP");
    await screen.shows("what keys and commands there are");
    expect(world.extensions.framesOf("a", "command_invoked")).toEqual([]);
    expect(world.log("a")).toContain("command /Help is shadowed by the built-in of that name");

    const { stdout } = await world.run(["ext", "doctor", "--no-ext", "--ext", dir]);
    expect(stdout).toContain("/Help (shadowed)");
  });

  test("051 a command's prompt during a turn is queued: one turn at a time", async () => {
    const release = Promise.withResolvers<void>();
    await using world = await ZotWorld.create([
      async () => {
        await release.promise;
        return { text: "first answer" };
      },
      { text: "second answer" },
    ]);
    await using screen = await openWorld(world, world.extensions.python("a", OBEDIENT));
    await screen.enter("the first prompt");
    await world.server.until((requests) => requests.length === 1);
    await screen.enter('/x {"action":"prompt","prompt":"the second prompt"}');
    await screen.shows(/the second prompt(?!")/);
    expect(world.server.requests.length).toBe(1);
    release.resolve();
    await screen.shows("second answer");
    expect(world.server.requests.length).toBe(2);
    expect(chatOf(world.server, 1).slice(1)).toEqual([
      { role: "user", text: "the first prompt" },
      { role: "assistant", text: "first answer" },
      { role: "user", text: "the second prompt" },
    ]);
  });

  test("052 a command's insert goes in at the cursor and sends nothing", async () => {
    await using world = await ZotWorld.create([]);
    const dir = world.extensions.python(
      "a",
      `
      hello()
      command("later")
      ready()
      for frame in frames():
          if frame["type"] == "command_invoked":
              while not os.path.exists("go"): time.sleep(0.01)
              respond(frame, action="insert", insert="INSERTED")
      `,
    );
    await using screen = await openWorld(world, dir);
    await screen.enter("/later");
    await world.extensions.frame("a", { type: "command_invoked" });
    screen.type("before after");
    await screen.shows("before after");
    await screen.press("left", "left", "left", "left", "left");
    writeFileSync(join(dir, "go"), "");
    await screen.shows("before INSERTEDafter");
    // A prompt that was sent would have left the editor.
    screen.type("!");
    await screen.shows("before INSERTED!after");
    expect(world.server.requests).toEqual([]);
  });

  test("054 a command's open_panel without a panel is an error on the screen, and all goes on", async () => {
    await using world = await ZotWorld.create([]);
    await using screen = await openWorld(world, world.extensions.python("a", OBEDIENT));
    await screen.enter('/x {"action":"open_panel"}');
    expect(await colourOfError(screen, "extension /x: open_panel without a panel")).toBe(RED);
    await screen.enter('/x {"action":"display","display":"still here"}');
    await screen.shows("[a] still here");
  });

  test("055 a command's error is shown in red, whatever its action says", async () => {
    await using world = await ZotWorld.create([]);
    await using screen = await openWorld(world, world.extensions.python("a", OBEDIENT));
    await screen.enter('/x {"action":"prompt","prompt":"not sent","error":"boom"}');
    expect(await colourOfError(screen, "extension /x: boom")).toBe(RED);
    await screen.enter('/x {"action":"display","display":"still here"}');
    await screen.shows("[a] still here");
    expect(world.server.requests).toEqual([]);
  });

  test("056 a command's unknown action is shown in red, by its name", async () => {
    await using world = await ZotWorld.create([]);
    await using screen = await openWorld(world, world.extensions.python("a", OBEDIENT));
    await screen.enter('/x {"action":"dance"}');
    expect(await colourOfError(screen, 'extension /x: unknown action "dance"')).toBe(RED);
  });
});
