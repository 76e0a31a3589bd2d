import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { EditorDialog } from "../../src/surfaces/interactive/dialogs/editor-dialog.ts";
import { Completion } from "../../src/surfaces/interactive/editor/completion.ts";
import { FileIndex } from "../../src/surfaces/interactive/editor/file-index.ts";
import { PromptEditor } from "../../src/surfaces/interactive/editor/prompt-editor.ts";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED, showcase } from "./support/fixtures.ts";
import { harmIn, hostileText } from "./support/hostile-text.ts";
import { quietTui } from "./support/quiet-tui.ts";
import { openScreen, type Screen } from "./support/screen.ts";

setDefaultTimeout(60_000);

const look = new Look("256");
const EVIL = "hi\u001b]0;PWNED\u0007\u001b[3;3HJUMP\u009b2J\u202ex";
const [UP, CURSOR_LEFT] = ["\u001b[A", "\u001b[D"];

function open(rows = 24): PromptEditor {
  const editor = new PromptEditor(quietTui(80, rows), look);
  editor.focused = true;
  return editor;
}

function drawn(editor: PromptEditor, height = 24): string[] {
  editor.fit(Math.min(height, editor.wish(80, height).want));
  return editor.render(80);
}

function expectHarmless(editor: PromptEditor): void {
  for (const row of drawn(editor)) expect(harmIn(row)).toBe(undefined);
  for (const line of editor.getExpandedText().split("\n")) expect(harmIn(line)).toBe(undefined);
}

describe("the text of the editor", () => {
  const ways: Readonly<Record<string, (editor: PromptEditor, text: string) => void>> = {
    set: (editor, text) => editor.setText(text),
    inserted: (editor, text) => editor.insertTextAtCursor(text),
    pasted: (editor, text) => editor.handleInput(`\u001b[200~${text.replaceAll("\u001b[201~", "")}\u001b[201~`),
    remembered: (editor, text) => {
      editor.addToHistory(text);
      editor.handleInput(UP);
    },
  };
  for (const [name, put] of Object.entries(ways)) {
    test(`is harmless when it was ${name}`, () => {
      const editor = open();
      put(editor, EVIL);
      expect(editor.getText()).toBe("hiJUMPx");
      fc.assert(
        fc.property(hostileText, hostileText, (text, before) => {
          const another = open();
          another.setText(before);
          put(another, text);
          expectHarmless(another);
        }),
        { numRuns: 1_000 },
      );
    });
  }

  test("is harmless when a key or a dead key types it, and half a character is no harm", () => {
    const editor = open();
    for (const key of [
      "\u009b",
      "\u001b[155u",
      "\u202e",
      "e",
      "\u0301",
      ..."👍".split(""),
      "\u001b[27;2;65~",
      "\u001b[98u",
    ]) {
      editor.handleInput(key);
    }
    expect(editor.getText()).toBe("e\u0301👍Ab");
  });

  test("is harmless when it was completed, and names that cannot be written are not offered", async () => {
    await using dir = await tempDir();
    for (const name of ["evil\u001b]0;PWNED\u0007.txt", "evil\nline.txt", "evil plain.txt"]) {
      await writeFile(join(dir.path, name), "");
    }
    await mkdir(join(dir.path, "evil\u001b[3;3Hfolder"));
    const completion = new Completion(() => [], new FileIndex(dir.path));
    const { signal } = new AbortController();
    const found = await completion.getSuggestions(["@evil"], 0, 5, { signal });
    expect(found?.items.map(({ value }) => value)).toEqual(['@"evil plain.txt"']);
    const editor = open();
    editor.setAutocompleteProvider({
      getSuggestions: async () => ({ items: [{ value: EVIL, label: "x" }], prefix: "@" }),
      applyCompletion: (_lines, line, _column, { value }) => ({
        lines: [value],
        cursorLine: line,
        cursorCol: value.length,
      }),
    });
    editor.handleInput("@");
    const end = performance.now() + 3_000;
    while (!editor.isShowingAutocomplete() && performance.now() < end) await Bun.sleep(5);
    editor.handleInput("\t");
    editor.handleInput("!");
    expect(editor.getText()).toBe("hiJUMPx!");
  });

  test("keeps the line breaks of a paste, in whatever way the terminal writes them", () => {
    for (const pasted of ["a\rb", "a\r\nb", "a\nb", "a\u001b[106;5ub", "a\u001b[109;5ub"]) {
      const editor = open();
      editor.handleInput(`\u001b[200~${pasted}\u001b[201~`);
      expect(editor.getText()).toBe("a\nb");
    }
  });

  test("is drawn with the row that has the cursor, however low the screen, and a click hits what it points at", () => {
    const editor = open(6);
    editor.setText("one\ntwo\nthree\nfour");
    for (const height of [1, 2, 3, 4]) {
      editor.fit(height);
      expect(editor.render(80).slice(0, height).join("\n")).toContain("four");
    }
    editor.fit(3);
    const row = editor.render(80).findIndex((each) => each.includes("three"));
    const click = { type: "click", button: "left", x: 1, y: row, width: 80, height: 3 } as const;
    editor.handleMouse({ ...click, screenX: 1, screenY: row, shift: false, alt: false, ctrl: false });
    expect(editor.getCursor()).toEqual({ line: 2, col: 0 });
  });

  test("in a dialog is drawn with the row that has the cursor, and is as harmless", () => {
    const editor = new EditorDialog(look, quietTui(40, 8), {
      title: () => "t",
      prefill: Array.from({ length: 12 }, (_, at) => `row ${at}`).join("\n"),
      enterSends: true,
      entered: () => undefined,
      cancelled: () => undefined,
      external: async (text) => text,
    });
    editor.focused = true;
    const rows = (): readonly string[] => {
      editor.fit(Math.min(6, editor.wish(40, 8).want));
      return editor.render(40);
    };
    expect(rows().join("\n")).toContain("row 11");
    for (let at = 11; at >= 0; at -= 1) {
      const typed = String.fromCodePoint(65 + at);
      editor.handleInput(typed);
      editor.handleInput(CURSOR_LEFT);
      expect(rows().join("\n")).toContain(typed);
      editor.handleInput(UP);
    }
    editor.handleInput(`\u001b[200~${EVIL}\u001b[201~`);
    for (const row of rows()) expect(harmIn(row)).toBe(undefined);
  });
});

describe.skipIf(!zotIsBuilt)("what an extension puts into the editor", () => {
  test("is text and nothing else, also when it comes back from the queue", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    // Typed as it is, the editor would have it first.
    const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    const frame = (fields: Readonly<Record<string, string>>): void => {
      screen.type(`/frame ${JSON.stringify(fields).replace(/[\u0080-\uffff]/g, escaped)}\r`);
    };
    screen.type("sleep 30000");
    await screen.press("ctrlJ");
    await screen.enter("say x");
    await screen.shows("waiting for the model");
    frame({ type: "submit", text: `from the queue ${EVIL}` });
    await screen.shows("⧗");
    await screen.press("up");
    await screen.hides("⧗");
    await screen.shows("from the queue hiJUMPx");
    expect(screen.output).not.toContain("]0;PWNED");
    expect(screen.output).not.toContain("\u001b[3;3H");
  });
});

describe.skipIf(!zotIsBuilt)("a text with a line break that looks like a command", () => {
  const text = "!touch ran-it\nsecond line";
  const waiting = async (screen: Screen): Promise<void> => {
    screen.type("sleep 30000");
    await screen.press("ctrlJ");
    await screen.enter("say x");
    await screen.shows("waiting for the model");
  };

  test("is a prompt when it was pasted, and when it comes back from the history, of this run and of the last one", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    for (const run of [1, 2]) {
      await using screen = await openScreen(offline(), { home: home.path, cwd: cwd.path });
      await screen.shows("/help");
      if (run === 1) {
        screen.paste(text);
        await screen.shows(/^ second line$/m);
        await screen.press("enter");
        await screen.shows("› !touch ran-it");
      }
      await screen.press("up");
      await screen.shows(/^ second line$/m);
      await screen.press("enter");
      await screen.until(() => screen.text.split("› !touch ran-it").length === (run === 1 ? 3 : 2), "another prompt");
      expect(existsSync(join(cwd.path, "ran-it"))).toBe(false);
      await screen.press("ctrlD");
      await screen.exits();
    }
  });

  test("is a prompt when it comes back from the queue, and when it was typed", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    await waiting(screen);
    screen.type("!touch ran-it");
    await screen.press("ctrlJ");
    await screen.enter("second line");
    await screen.shows("⧗ !touch ran-it");
    await screen.press("escape");
    await screen.shows("cancelled");
    await screen.shows(/^ !touch ran-it$/m);
    await screen.press("enter");
    await screen.shows("› !touch ran-it");
    expect(existsSync(join(screen.cwd, "ran-it"))).toBe(false);
  });

  test("is a prompt when another editor wrote it", async () => {
    await using dir = await tempDir();
    const editor = join(dir.path, "editor.sh");
    await writeFile(editor, `#!/bin/sh\nprintf '!touch ran-it\\nsecond line\\n' > "$1"\n`, { mode: 0o755 });
    await using screen = await openScreen(offline(), { env: { VISUAL: editor } });
    await screen.shows("/help");
    await screen.press("ctrlG");
    await screen.shows(/^ second line$/m);
    await screen.press("enter");
    await screen.shows("› !touch ran-it");
    expect(existsSync(join(screen.cwd, "ran-it"))).toBe(false);
  });

  test("is a command when the break was only at its end", async () => {
    await using screen = await openScreen(offline());
    await screen.shows("/help");
    screen.paste("!touch ran-it\n");
    await screen.shows("!touch ran-it");
    await screen.press("enter");
    await screen.until(() => existsSync(join(screen.cwd, "ran-it")), "the command to run");
  });
});
