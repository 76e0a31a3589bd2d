import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, served } from "./support/fixtures.ts";
import { openScreen, type Screen } from "./support/screen.ts";

setDefaultTimeout(30_000);

/** More than what of any conversation is kept as it is. */
const TURNS = [1, 2, 3];
const answers = TURNS.map((n) => ({ text: `answer ${n}` }));

async function talk(screen: Screen): Promise<void> {
  for (const n of TURNS) {
    await screen.enter(`question ${n}`);
    await screen.shows(`answer ${n}`);
  }
}

describe.skipIf(!zotIsBuilt)("a conversation that is summarised", () => {
  test("/compact shows that it runs, what is written, and what it came to; the model goes on from the summary", async () => {
    await using server = await startModelServer([
      ...answers,
      { text: ["the user ", "asked ", "three questions"], pace: 300 },
      { text: "answer 4" },
    ]);
    await using screen = await openScreen(served(server));
    await talk(screen);
    await screen.enter("/compact keep the numbers");
    await screen.shows("summarising the conversation…");
    await screen.shows(/^ {2}the user/m);
    await screen.shows(/conversation summarised .*about [\d,]+ tokens/);
    expect(JSON.stringify(server.requests[3]?.json)).toContain("keep the numbers");
    await screen.hides("summarising");
    expect(screen.text).not.toContain("three questions");
    await screen.press("ctrlO");
    await screen.shows("the user asked three questions");
    await screen.press("ctrlO");
    await screen.hides("three questions");
    await screen.enter("question 4");
    await screen.shows("answer 4");
    const next = JSON.stringify(server.requests[4]?.json);
    expect(next).toContain("three questions");
    expect(next).not.toContain("question 1");
  });

  test("a context that is nearly full is summarised before the next prompt, and the screen says why", async () => {
    const full = { prompt_tokens: 390_000, completion_tokens: 10, total_tokens: 390_010 };
    await using server = await startModelServer([
      ...answers.slice(0, 2),
      { text: "answer 3", usage: full },
      { text: "a short summary" },
      { text: "answer 4" },
    ]);
    // A model of the catalogue, whose context window is known: 400,000 tokens.
    const model = served(server).map((arg) => (arg === "scripted" ? "gpt-5" : arg));
    await using screen = await openScreen(model);
    await talk(screen);
    await screen.shows("context 98 %");
    await screen.enter("question 4");
    await screen.shows("answer 4");
    await screen.shows("conversation summarised · the context was nearly full");
    await screen.hides("context 98 %");
    expect(server.requests).toHaveLength(5);
  });

  test("esc ends it, and the conversation stays as it was", async () => {
    await using server = await startModelServer([...answers, { delay: "forever" }, { text: "answer 4" }]);
    await using screen = await openScreen(served(server));
    await talk(screen);
    await screen.enter("/compact");
    await screen.shows("summarising the conversation…");
    await screen.press("escape");
    await screen.shows("not summarised: the conversation stays as it was");
    await screen.enter("question 4");
    await screen.shows("answer 4");
    expect(JSON.stringify(server.requests[4]?.json)).toContain("question 1");
  });

  test("a service that fails is told in red, and so is a conversation that is too short", async () => {
    await using server = await startModelServer([
      ...answers,
      { status: 400, error: { message: "no summaries today" } },
    ]);
    await using screen = await openScreen(served(server));
    await screen.enter("/compact");
    await screen.shows("✗ not summarised: nothing to compact");
    await talk(screen);
    await screen.enter("/compact");
    await screen.shows("no summaries today");
    const row = screen.lines.findIndex((line) => line.includes("no summaries today"));
    expect(screen.cell(0, row)?.isFgDefault()).toBe(false);
  });

  test("it waits for no turn: while one runs it is refused", async () => {
    await using screen = await openScreen(offline());
    await screen.enter("sleep 20000");
    await screen.shows("waiting for the model");
    await screen.enter("/compact");
    await screen.shows("cannot be summarised while a turn runs");
    await screen.press("escape");
    await screen.shows("cancelled");
  });

  test("a session that goes on shows where it was summarised, folded", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    await using server = await startModelServer([...answers, { text: "all was said" }]);
    const where = { home: home.path, cwd: cwd.path };
    {
      await using screen = await openScreen(served(server), where);
      await talk(screen);
      await screen.enter("/compact");
      await screen.shows("conversation summarised");
      await screen.press("ctrlD");
      await screen.exits();
    }
    await using screen = await openScreen([...served(server), "--continue"], where);
    await screen.shows(/conversation summarised .*tokens/);
    await screen.shows("answer 3");
    expect(screen.text).not.toContain("all was said");
    await screen.press("ctrlO");
    await screen.shows("all was said");
  });
});
