import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED, served, showcase } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

/** One red pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

const bash = (command: string): string => `call bash ${JSON.stringify({ command })}`;

describe.skipIf(!zotIsBuilt)("a conversation on the screen", () => {
  test("text comes as the model writes it, and markdown is drawn, not shown", async () => {
    await using server = await startModelServer([
      { text: ["# Title\n\n", "first **part** ", "and ", "second `part`"], pace: 400 },
    ]);
    await using screen = await openScreen(served(server));
    await screen.enter("go");
    await screen.shows("first part");
    expect(screen.text).not.toContain("second part");
    await screen.shows("first part and second part");
    expect(screen.text).not.toContain("**");
  });

  test("a call has a card with its arguments, its output while it runs, and its result", async () => {
    await using screen = await openScreen(offline());
    await screen.enter(bash("echo early; sleep 1; echo late"));
    await screen.shows("◐ bash echo early");
    await screen.shows(/^ {2}early$/m);
    expect(screen.text).not.toContain("  late");
    await screen.shows("● bash echo early");
    await screen.shows(/^ {2}late$/m);
  });

  test("what a tool of an extension tells while it runs takes the place of what it told before", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    await screen.enter("call steps {}");
    await screen.shows(/^◐ steps.*\n {2}step 1 of 2$/m);
    await screen.shows(/^◐ steps.*\n {2}step 2 of 2$/m);
    expect(screen.text).not.toContain("step 1 of 2");
    await screen.shows(/^● steps.*\n {2}both steps are done$/m);
    expect(screen.text).not.toContain("step 2 of 2");
  });

  test("a long result is folded to a few rows, and ctrl+o opens it", async () => {
    await using screen = await openScreen(offline(), { rows: 60 });
    await screen.enter(bash("seq 1 30"));
    await screen.shows("… 24 more rows");
    expect(screen.text).not.toMatch(/^ {2}7$/m);
    await screen.press("ctrlO");
    await screen.shows(/^ {2}7$/m);
    await screen.press("ctrlO");
    await screen.shows("… 24 more rows");
  });

  test("an edit is shown as a diff", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "a.txt"), "one\ntwo\nthree\n");
    await using screen = await openScreen(offline(), { cwd: dir.path });
    await screen.enter(`call edit ${JSON.stringify({ path: "a.txt", edits: [{ oldText: "two", newText: "zwei" }] })}`);
    await screen.shows(/^ {2}-two$/m);
    await screen.shows(/^ {2}\+zwei$/m);
    const removed = screen.lines.indexOf("  -two");
    const added = screen.lines.indexOf("  +zwei");
    expect(screen.cell(3, removed)?.getFgColor()).not.toBe(screen.cell(3, added)?.getFgColor());
  });

  test("a picture is drawn where the terminal can, and named where it cannot", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "dot.png"), Buffer.from(PIXEL, "base64"));
    for (const [env, wanted] of [
      [{ TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }, "\u001b_Ga=T"],
      [{}, "[image/png, 1 kB]"],
    ] as const) {
      await using screen = await openScreen(offline(), { cwd: dir.path, env });
      await screen.enter('call read {"path":"dot.png"}');
      await screen.shows("● read dot.png");
      await screen.until(() => screen.output.includes(wanted), JSON.stringify(wanted));
      await screen.enter("say after it");
      await screen.shows(/^after it$/m);
    }
  });

  test("code is highlighted", async () => {
    await using server = await startModelServer([{ text: "```ts\nconst answer = 42;\n```" }]);
    await using screen = await openScreen(served(server));
    await screen.enter("go");
    await screen.shows("const answer = 42;");
    const row = (): number => screen.lines.findIndex((line) => line.includes("const answer"));
    const isColoured = (): boolean => screen.cell(2, row())?.isFgDefault() === false;
    await screen.until(isColoured, "the keyword to have a colour");
    expect(screen.cell(8, row())?.isFgDefault()).toBe(true);
  });

  test("reasoning is shown while it lasts, then folded to one row", async () => {
    await using screen = await openScreen(offline());
    screen.type("think deep thought");
    await screen.press("ctrlJ");
    await screen.enter("say done");
    await screen.shows("thought for");
    await screen.shows(/^done$/m);
    expect(screen.text).not.toContain("  deep thought");
    await screen.press("ctrlO");
    await screen.shows("  deep thought");
  });

  test("an answer that is cut off, and one without words, are told from a whole one", async () => {
    await using server = await startModelServer([
      { text: "whole" },
      { text: "half of", finish: "length" },
      { thinking: "hm" },
    ]);
    await using screen = await openScreen(served(server));
    await screen.enter("first");
    await screen.shows(/^whole$/m);
    await screen.enter("second");
    await screen.shows(/^half of\n\n· cut off at the output limit$/m);
    await screen.enter("third");
    await screen.shows("· (empty answer)");
    expect(screen.text).not.toMatch(/whole\n\n·/);
  });

  test("an answer without words after a call is told, the call itself is an answer", async () => {
    await using server = await startModelServer([{ calls: [{ name: "bash", args: { command: "echo called" } }] }, {}]);
    await using screen = await openScreen(served(server));
    await screen.enter("go");
    await screen.shows(/^● bash echo called\n {2}called\n\n· \(empty answer\)$/m);
  });

  test("a failing service is told with a countdown, and the error stands in its place at the end", async () => {
    await using screen = await openScreen(offline());
    await screen.enter("fail 429 always");
    await screen.shows(/retrying in \d+ s/);
    await screen.press("escape");
    await screen.shows("cancelled");
    await screen.enter("fail 400 always");
    await screen.shows("✗");
  });

  test("a prompt that is typed meanwhile waits where it can be seen, and comes back with up", async () => {
    await using screen = await openScreen(offline());
    await screen.enter(bash("sleep 30"));
    await screen.shows("◐ bash");
    await screen.enter("say the next thing");
    await screen.shows("⧗ say the next thing");
    await screen.press("up");
    await screen.hides("⧗");
    await screen.shows(/^ say the next thing$/m);
    await screen.press("escape");
    await screen.shows("cancelled");
  });

  test("a waiting prompt is said when the turn allows it", async () => {
    await using screen = await openScreen(offline());
    await screen.enter(bash("sleep 1"));
    await screen.shows("◐ bash");
    await screen.enter("say after the call");
    await screen.shows("⧗");
    await screen.shows(/^after the call$/m);
    await screen.hides("⧗");
  });

  test("esc cancels the turn and its command, and gives back what waited", async () => {
    await using screen = await openScreen(offline());
    await screen.enter(bash("sleep 30; echo never"));
    await screen.shows("◐ bash");
    await screen.enter("say second");
    await screen.shows("⧗ say second");
    await screen.press("escape");
    await screen.shows("cancelled");
    await screen.shows(/^ say second$/m);
    await screen.hides("⧗");
  });

  test("!command runs in a shell and the model is told of it, !!command is nobody's business", async () => {
    await using server = await startModelServer([{ text: "fine" }]);
    await using screen = await openScreen(served(server));
    await screen.enter("!echo $((6*7))");
    await screen.shows(/^ {2}42$/m);
    await screen.enter("!!echo $((7*11))");
    await screen.shows(/^ {2}77$/m);
    await screen.enter("hello");
    await screen.shows(/^fine$/m);
    const request = JSON.stringify(server.requests[0]?.json);
    expect(request).toContain("42");
    expect(request).not.toContain("77");
  });

  test("/btw answers from the conversation and leaves no trace in it", async () => {
    await using server = await startModelServer([
      { text: "first answer" },
      { text: "side answer" },
      { text: "second answer" },
    ]);
    await using screen = await openScreen(served(server));
    await screen.enter("first question");
    await screen.shows("first answer");
    await screen.enter("/btw what was that?");
    await screen.shows("side answer");
    expect(JSON.stringify(server.requests[1]?.json)).toContain("first answer");
    await screen.press("escape");
    await screen.hides("side answer");
    await screen.enter("second question");
    await screen.shows("second answer");
    const third = JSON.stringify(server.requests[2]?.json);
    expect(third).not.toContain("side answer");
    expect(third).not.toContain("what was that?");
  });

  test("prompts behind a turn that failed wait for enter", async () => {
    await using screen = await openScreen(offline());
    screen.type("sleep 1000");
    await screen.press("ctrlJ");
    await screen.enter("fail 400 always");
    await screen.shows("waiting for the model");
    await screen.enter("say after the failure");
    await screen.shows("⧗ say after the failure");
    await screen.shows("✗");
    await screen.shows("enter sends");
    await screen.press("enter");
    await screen.shows(/^after the failure$/m);
  });

  test("the first prompt waits for extensions, so that the model is offered their tools", async () => {
    await using screen = await openScreen([...offline(showcase), "call slow {}"]);
    await screen.shows("slow is done");
  });
});

describe.skipIf(!zotIsBuilt)("the editor", () => {
  test("shift+enter and ctrl+j make new lines, enter sends all of them", async () => {
    await using screen = await openScreen(offline());
    screen.type("say one");
    await screen.press("ctrlJ");
    screen.type("say two");
    await screen.shows(/^ say two$/m);
    await screen.press("enter");
    await screen.shows(/^one$/m);
    await screen.shows(/^two$/m);
  });

  test("survives a window of any width, whatever is in it", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    screen.type("日本 👨‍👩‍👧‍👦 é");
    await screen.shows("日本");
    for (const cols of [3, 2, 1, 2, 80]) {
      screen.resize(cols, 12);
      await screen.settles(60);
    }
    await screen.shows("日本");
    expect(screen.process.exitCode).toBe(null);
  });

  test("what was sent at the very last comes back in the next run", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    {
      await using screen = await openScreen(offline(), place);
      await screen.shows("/help");
      screen.type("say the last word\r\u0004");
      expect(await screen.exits()).toBe(0);
    }
    await using screen = await openScreen(offline(), { ...place, typedAtOnce: "\u001b[A" });
    await screen.shows(/^ say the last word$/m);
  });

  test("what was sent in this directory comes back with up, also in the next run", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    for (const run of [1, 2]) {
      await using screen = await openScreen(offline(), { home: home.path, cwd: cwd.path });
      await screen.shows("/help");
      if (run === 1) {
        await screen.enter("say remember me");
        await screen.shows(/^remember me$/m);
        await screen.press("ctrlD");
        await screen.exits();
      } else {
        await screen.press("up");
        await screen.shows(/^ say remember me$/m);
      }
    }
    await using elsewhere = await openScreen(offline(), { home: home.path });
    await elsewhere.shows("/help");
    await elsewhere.press("up");
    await elsewhere.settles();
    expect(elsewhere.text).not.toContain("remember me");
  });

  test("/ offers commands with the extension that they come from", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    screen.type("/sel");
    await screen.shows("[showcase] asks to choose");
    await screen.press("escape");
    await screen.hides("asks to choose");
    await screen.shows(/^ \/sel$/m);
  });

  test("a folder is a step on the way: the popup goes on with what is in it", async () => {
    await using cwd = await tempDir();
    await mkdir(join(cwd.path, "src", "deep"), { recursive: true });
    await writeFile(join(cwd.path, "src", "deep", "needle.ts"), "");
    await writeFile(join(cwd.path, "README.md"), "");
    await using screen = await openScreen(offline(), { cwd: cwd.path });
    await screen.shows("/help");
    screen.type("see @sr");
    await screen.shows(/^ → src\/ *$/m);
    await screen.press("tab");
    await screen.shows(/^ see @src\/ *$/m);
    await screen.shows("src/deep/needle.ts");
    await screen.press("backspace");
    await screen.shows(/^ see @src *$/m);
  });

  test("a command that needs something is not run by taking it from the popup", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    screen.type("/bt");
    await screen.shows("ask besides the task");
    await screen.press("enter");
    await screen.shows(/^ \/btw *$/m);
    screen.type("say aside");
    await screen.shows("/btw say aside");
    await screen.press("enter");
    await screen.shows("btw · say aside");
    await screen.press("escape");
    screen.type("/btw");
    await screen.shows("ask besides the task");
    await screen.press("enter");
    await screen.shows("/btw needs a question");
  });

  test("@ completes files that git would not ignore", async () => {
    await using dir = await tempDir();
    await mkdir(join(dir.path, "src"));
    await mkdir(join(dir.path, "out"));
    await writeFile(join(dir.path, ".gitignore"), "out/\n");
    await writeFile(join(dir.path, "src", "needle.ts"), "");
    await writeFile(join(dir.path, "out", "needle.js"), "");
    await using screen = await openScreen(offline(), { cwd: dir.path });
    await screen.shows("/help");
    screen.type("look at @need");
    await screen.shows("src/needle.ts");
    expect(screen.text).not.toContain("needle.js");
    await screen.press("tab");
    await screen.shows("look at @src/needle.ts");
  });

  test("a paste of 10,000 characters with a command in it is one mark, runs nothing, and is sent whole", async () => {
    await using server = await startModelServer([{ text: "got it" }]);
    await using screen = await openScreen(served(server));
    await screen.shows("/help");
    const text = `/exit\n${"x".repeat(4_000)}\n!touch pwned\n${"y".repeat(6_000)}`;
    screen.paste(text);
    await screen.shows("[paste #1");
    await screen.settles();
    expect(server.requests).toHaveLength(0);
    await screen.press("enter");
    await screen.shows("got it");
    expect(JSON.stringify(server.requests[0]?.json)).toContain(JSON.stringify(text).slice(1, -1));
    expect(screen.process.exitCode).toBe(null);
  });

  test("ctrl+g hands the prompt to the user's own editor", async () => {
    await using dir = await tempDir();
    const editor = join(dir.path, "editor.sh");
    await writeFile(editor, '#!/bin/sh\necho "say from the editor" > "$1"\n', { mode: 0o755 });
    await using screen = await openScreen(offline(), { env: { VISUAL: editor } });
    await screen.shows("/help");
    screen.type("draft");
    await screen.shows("draft");
    await screen.press("ctrlG");
    await screen.shows(/^ say from the editor$/m);
    await screen.press("enter");
    await screen.shows(/^from the editor$/m);
  });

  test("the other editor has the keys to itself while it runs", async () => {
    await using dir = await tempDir();
    const editor = join(dir.path, "editor.sh");
    const lines = '#!/bin/sh\necho editor is up\nread first\nread second\necho "say $first $second" > "$1"\n';
    await writeFile(editor, lines, { mode: 0o755 });
    await using screen = await openScreen(offline(), { env: { VISUAL: editor } });
    await screen.shows("/help");
    await screen.press("ctrlG");
    await screen.shows("editor is up");
    expect(screen.isAlternate).toBe(false);
    screen.type("all of\n");
    await screen.settles(100);
    screen.type("these keys\n");
    await screen.shows(/^ say all of these keys$/m);
  });

  test("a click moves the cursor, and the keys stay where they are", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    screen.type("say brown fox");
    await screen.shows("say brown fox");
    const row = screen.lines.findIndex((line) => line.includes("say brown fox"));
    screen.type(`\u001b[<0;6;${row + 1}M\u001b[<0;6;${row + 1}m`);
    await screen.until(() => screen.cursor.x === 5, "the cursor to move");
    screen.type("the ");
    await screen.shows("say the brown fox");
    await screen.press("enter");
    await screen.shows(/^the brown fox$/m);
  });

  test("a terminal that tells when keys come up presses nothing twice", async () => {
    await using screen = await openScreen(offline(), { keyboardProtocol: true });
    await screen.enter('call bash {"command":"seq 1 30"}');
    await screen.shows("… 24 more rows");
    screen.type("\u001b[111;5u\u001b[111;5:3u");
    await screen.hides("… 24 more rows");
    await screen.settles();
    expect(screen.text).not.toContain("… 24 more rows");
    screen.type("say kept");
    screen.type("\u001b[13u\u001b[13;1:3u");
    await screen.shows(/^kept$/m);
  });

  test("a command that does not exist is told, and what was typed is not lost", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    await screen.enter("/nonsense with words");
    await screen.shows("there is no command /nonsense");
    await screen.shows(/^ \/nonsense with words$/m);
  });
});
