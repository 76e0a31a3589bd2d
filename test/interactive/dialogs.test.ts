import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED, showcase } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";
import { takesKeys } from "./support/takes-keys.ts";

setDefaultTimeout(30_000);

async function open(): Promise<Screen> {
  const screen = await openScreen(offline(showcase));
  await screen.shows(STARTED);
  return screen;
}

describe.skipIf(!zotIsBuilt)("a dialog of an extension", () => {
  test("names who asks, filters as you type, and gives the label", async () => {
    await using screen = await open();
    await screen.enter("/select");
    await screen.shows("[showcase] Which colour?");
    await screen.shows("like blood");
    await takesKeys(screen);
    screen.type("gre");
    await screen.hides("like blood");
    await screen.press("enter");
    await screen.shows("chosen: green");
  });

  test("esc leaves it", async () => {
    await using screen = await open();
    await screen.enter("/select");
    await screen.shows("Which colour?");
    await screen.press("escape");
    await screen.shows("chosen: nothing");
  });

  test("confirm is answered by its letters", async () => {
    await using screen = await open();
    await screen.enter("/confirm");
    await screen.shows("It cannot be undone.");
    await takesKeys(screen);
    screen.type("y");
    await screen.shows("confirmed: true");
  });

  test("a line of text", async () => {
    await using screen = await open();
    await screen.enter("/input");
    await screen.shows("a name");
    await takesKeys(screen);
    screen.type("Ada");
    await screen.shows("› Ada");
    await screen.press("enter");
    await screen.shows("typed: Ada");
  });

  test("a secret never reaches the screen", async () => {
    await using screen = await open();
    await screen.enter("/secret");
    await screen.shows("Password?");
    await takesKeys(screen);
    screen.type("hunter2");
    await screen.shows("•••••••");
    await screen.press("enter");
    await screen.shows("length: 7");
    expect(screen.output).not.toContain("hunter2");
  });

  test("a text of several lines, with what was there already", async () => {
    await using screen = await open();
    await screen.enter("/text");
    await screen.shows("Describe it");
    await takesKeys(screen);
    await screen.press("enter");
    screen.type("second");
    await screen.shows(/^ second$/m);
    screen.type("\u0013");
    await screen.shows('text: "first\\nsecond"');
  });

  test("several questions are answered one after the other", async () => {
    await using screen = await open();
    const questions = [
      { id: "a", question: "Tabs or spaces?", options: [{ label: "tabs" }, { label: "spaces" }] },
      { id: "b", question: "Which ones?", options: [{ label: "x" }, { label: "y" }], multi: true },
      { id: "c", question: "Anything else?", options: [] },
    ];
    screen.type(`/frame ${JSON.stringify({ type: "extension_ui_request", id: "q", method: "ask", questions })}`);
    await screen.press("enter");
    await screen.shows("Tabs or spaces?");
    await screen.shows("1 of 3");
    await takesKeys(screen);
    await screen.press("down", "enter");
    await screen.shows("Which ones?");
    screen.type(" ");
    await screen.press("down");
    screen.type(" ");
    await screen.press("enter");
    await screen.shows("Anything else?");
    screen.type("free text");
    await screen.shows("free text");
    await screen.press("enter");
    await screen.hides("Anything else?");
  });

  test("a second question waits for the first, and both are answered", async () => {
    await using screen = await open();
    const ask = (id: string) => ({ type: "extension_ui_request", id, method: "confirm", title: `Question ${id}` });
    for (const id of ["one", "two"]) {
      // The editor is behind the first question by then, so both go out before it is there.
      screen.type(`/frame ${JSON.stringify(ask(id))}\r`);
      if (id === "one") await screen.shows("Question one");
      await takesKeys(screen);
      if (id === "one") screen.type("n");
    }
    await screen.shows("Question two");
    await takesKeys(screen);
    screen.type("n");
    await screen.hides("Question two");
  });

  test("a key that was meant for the editor does not answer a question that has just opened", async () => {
    await using screen = await open();
    const ask = { type: "extension_ui_request", id: "s", method: "confirm", title: "Surprise", message: "sure?" };
    screen.type(`/frame ${JSON.stringify(ask)}\r`);
    await screen.shows("Surprise");
    screen.type("y");
    await takesKeys(screen);
    expect(screen.text).toContain("Surprise");
    await screen.press("escape");
    await screen.hides("Surprise");
  });

  test("goes when its extension dies", async () => {
    await using screen = await open();
    await screen.enter("/select");
    await screen.shows("Which colour?");
    const child = Bun.spawnSync(["pgrep", "-P", String(screen.process.pid)])
      .stdout.toString()
      .trim();
    process.kill(Number(child), "SIGKILL");
    await screen.hides("Which colour?");
    screen.type("the editor is back");
    await screen.shows("the editor is back");
  });

  test("counts its time down and goes when it is over", async () => {
    await using screen = await open();
    const ask = { type: "extension_ui_request", id: "t", method: "confirm", title: "Quick", timeout: 2_000 };
    screen.type(`/frame ${JSON.stringify(ask)}\r`);
    await screen.shows(/Quick · [12] s left/);
    await screen.hides("Quick");
  });
});

describe.skipIf(!zotIsBuilt)("a dialog of zot's own", () => {
  test("shows a path with control characters in it as text", async () => {
    await using dir = await tempDir();
    const home = join(dir.path, "home\u001b]0;PWNED\u0007end");
    await using screen = await openScreen(offline(), { env: { ZOT_HOME: home } });
    await screen.enter("/login openai");
    await screen.shows("API key for openai");
    await screen.shows("homeend");
    expect(screen.output).not.toContain("]0;PWNED");
  });
});
