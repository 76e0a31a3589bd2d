import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { zotIsBuilt } from "../support/zot.ts";
import { offline } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

const WHEEL_UP = "\u001b[<64;10;5M";
const CTRL_END = "\u001b[1;5F";
const CTRL_HOME = "\u001b[1;5H";
const CTRL_UP = "\u001b[1;5A";

async function long(): Promise<Screen> {
  const screen = await openScreen(offline());
  await screen.shows("/help");
  screen.paste(Array.from({ length: 60 }, (_, n) => `say - row ${n + 1}`).join("\n"));
  await screen.shows("[paste #1");
  await screen.press("enter");
  // Not in the editor, nor in what was said: in the answer.
  await screen.shows(/^- row 60$/m);
  await screen.settles();
  return screen;
}

describe.skipIf(!zotIsBuilt)("scrolling", () => {
  test("f3 searches, in every terminal", async () => {
    await using screen = await long();
    screen.type("\u001bOR");
    await screen.settles();
    screen.type("row 17");
    // In the prompt and in the answer.
    await screen.shows("1/2");
    await screen.shows("say - row 17");
    await screen.hides("row 60");
    await screen.press("escape");
    screen.type("typed again");
    await screen.shows("typed again");
  });

  test("by pages and by wheel, and back to the end", async () => {
    await using screen = await long();
    await screen.press("pageUp");
    await screen.hides("row 60");
    await screen.shows("↓ end");
    screen.type(CTRL_END);
    await screen.shows("row 60");
    screen.type(WHEEL_UP.repeat(4));
    await screen.hides("row 60");
    screen.type(CTRL_HOME);
    await screen.shows("/help");
  });

  test("new text does not move what is being read, and at the end it is followed", async () => {
    await using screen = await long();
    screen.type("sleep 2500");
    await screen.press("ctrlJ");
    await screen.enter("say the newest words");
    await screen.press("pageUp");
    await screen.hides("row 60");
    // The scrollbar goes a moment after the last move.
    await screen.settles(1_300);
    const before = screen.lines.slice(0, 10);
    await screen.settles(1_500);
    expect(screen.lines.slice(0, 10)).toEqual(before);
    screen.type(CTRL_END);
    await screen.shows(/^the newest words$/m);
    await screen.enter("say and followed");
    await screen.shows(/^and followed$/m);
  });

  test("from prompt to prompt", async () => {
    await using screen = await long();
    await screen.enter("say short");
    await screen.shows(/^short$/m);
    screen.type(CTRL_UP);
    screen.type(CTRL_UP);
    await screen.shows("› say - row 1");
  });
});
