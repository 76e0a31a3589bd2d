import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { stripTerminalSequences, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import fc from "fast-check";
import type { Panel } from "../../src/host/ports.ts";
import { ApprovalDialogs } from "../../src/surfaces/interactive/dialogs/approval-dialog.ts";
import { AskDialog } from "../../src/surfaces/interactive/dialogs/ask-dialog.ts";
import { Picker } from "../../src/surfaces/interactive/dialogs/picker.ts";
import { NotesRegion } from "../../src/surfaces/interactive/extensions/notes-region.ts";
import { panelEdge, panelRows } from "../../src/surfaces/interactive/extensions/panel-rows.ts";
import { StatusesRegion } from "../../src/surfaces/interactive/extensions/statuses-region.ts";
import { WidgetsRegion } from "../../src/surfaces/interactive/extensions/widgets-region.ts";
import { Foreground, type Modal } from "../../src/surfaces/interactive/screen/foreground.ts";
import { cellWidth, clampRow, wrapRows } from "../../src/surfaces/interactive/text/cells.ts";
import { headOf, tailOf } from "../../src/surfaces/interactive/text/cut.ts";
import { safeLine, safeText } from "../../src/surfaces/interactive/text/safe-text.ts";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import { Conversation } from "../../src/surfaces/interactive/transcript/conversation.ts";
import { TranscriptView } from "../../src/surfaces/interactive/transcript/transcript.ts";
import { RawJson } from "../../src/wire/raw-json.ts";
import { harmIn, hostileText } from "./support/hostile-text.ts";

setDefaultTimeout(120_000);

const look = new Look("truecolor");
const widths = fc.integer({ min: 1, max: 200 });
const owner = { generation: 1 };

function expectSafe(rows: readonly string[], width: number): void {
  for (const row of rows) {
    const harm = harmIn(row);
    if (harm !== undefined) throw new Error(`${harm} reaches the terminal in ${JSON.stringify(row)}`);
    if (cellWidth(row) > width) throw new Error(`${cellWidth(row)} cells in ${width}: ${JSON.stringify(row)}`);
  }
}

function always(property: fc.IProperty<unknown>, numRuns: number): void {
  fc.assert(property, { numRuns });
}

describe("text that needs no work", () => {
  test("is what the work would leave as it is, character by character", () => {
    const wrong: string[] = [];
    for (let code = 0x20; code <= 0xffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCharCode(code);
      // A bell is work; it goes, and the character is at the start of a row as well.
      if (safeText(character) !== safeText(`\u0007\n${character}`).slice(1)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });
});

describe("text of strangers", () => {
  test("nothing but text, colours and safe links is left of it, and washing it twice changes nothing", () => {
    always(
      fc.property(hostileText, (text) => {
        for (const styles of ["keep", "strip"] as const) {
          const safe = safeText(text, styles);
          for (const line of safe.split("\n")) expect(harmIn(line)).toBe(undefined);
          expect(safeText(safe, styles)).toBe(safe);
          if (styles === "strip") expect(safe).not.toContain("\u001b");
        }
        expect(safeLine(text)).not.toContain("\n");
      }),
      5_000,
    );
  });

  test("a sequence that was cut in two does not become one by being joined", () => {
    for (const [before, after] of [
      ["\u001b", "[2J"],
      ["\u001b[", "2J"],
      ["\u001b]0;", "title\u0007"],
      ["\u009b", "2J"],
      ["\u001b\u2060", "[2J"],
    ] as const) {
      expect(harmIn(safeText(before) + safeText(after))).toBe(undefined);
    }
  });

  test("hidden and blinking text is shown as any other", () => {
    expect(safeText("\u001b[8msecret\u001b[5mblink\u001b[38;5;8mgrey")).toBe("secretblink\u001b[38;5;8mgrey");
  });

  test("a link that shows the address of another place is no link, any other stays one", () => {
    const link = (url: string, text: string): string => `\u001b]8;;${url}\u0007${text}\u001b]8;;\u0007`;
    const opens = (url: string, text: string): boolean => safeText(link(url, text)).includes(url);
    expect(opens("https://evil.example/", "https://bank.example/login")).toBe(false);
    expect(opens("https://bank.example.evil.example/", "https://bank.example")).toBe(false);
    expect(opens("https://bank.example@evil.example/", "https://bank.example")).toBe(false);
    expect(opens("https://evil.example/", "\u001b[4mwww.bank.example\u001b[24m")).toBe(false);
    expect(opens("https://evil.example/", "https://bank")).toBe(false);
    expect(safeText(link("https://evil.example/", "https://bank.example"))).toBe("https://bank.example");
    expect(opens("https://bank.example/login", "https://bank.example")).toBe(true);
    expect(opens("https://www.bank.example/login", "bank.example")).toBe(true);
    expect(opens("https://xn--mnchen-3ya.example/", "https://münchen.example/")).toBe(true);
    expect(opens("https://github.example/README.md", "README.md")).toBe(true);
    expect(opens("file:///tmp/a.txt", "a.txt")).toBe(true);
  });

  test("rows of plain text are those that the terminal library makes", () => {
    const pieces = fc.constantFrom(
      " ",
      "  ",
      "a",
      "word",
      "-",
      "longer",
      " ".repeat(30),
      "x".repeat(45),
      "(b), ",
      "\n",
    );
    always(
      fc.property(fc.array(pieces, { maxLength: 40 }), widths, (words, width) => {
        const text = words.join("");
        expect(wrapRows(text, width)).toEqual(text.split("\n").flatMap((line) => wrapTextWithAnsi(line, width)));
      }),
      5_000,
    );
  });

  test("a cut never goes through a character", () => {
    for (let max = 0; max < 8; max += 1) {
      for (const piece of [headOf("a😀b😀c", max), tailOf("a😀b😀c", max)]) {
        expect(piece.isWellFormed()).toBe(true);
        expect(piece.length).toBeLessThanOrEqual(max);
        expect(piece.length).toBeGreaterThanOrEqual(Math.min(max, 7) - 1);
      }
    }
  });

  test("rows are never wider than they may be", () => {
    always(
      fc.property(hostileText, widths, (text, width) => {
        expectSafe([clampRow(safeLine(text), width)], width);
        expectSafe(wrapRows(safeText(text), width), width);
        expectSafe(wrapRows(safeText(text), width, 3), width);
        expect(wrapRows(safeText(text), width, 3).length).toBeLessThanOrEqual(3);
      }),
      5_000,
    );
  });
});

describe("payloads of extensions", () => {
  const texts = fc.array(hostileText, { maxLength: 6 });

  test("panels", () => {
    always(
      fc.property(texts, hostileText, widths, (lines, title, width) => {
        const panel: Panel = { ...owner, extension: title, id: "p", title, lines, footer: title };
        expectSafe(panelRows(panel, look, width).rows, width);
        expectSafe([panelEdge(panel.title, width)], width);
      }),
      5_000,
    );
  });

  test("notes, statuses and widgets", () => {
    always(
      fc.property(texts, hostileText, widths, (lines, word, width) => {
        const message = lines.join("\n");
        const notes = new NotesRegion(look, () => [{ ...owner, extension: word, level: word, message }]);
        const statuses = new StatusesRegion(look, () =>
          lines.map((text, index) => ({ ...owner, extension: word, key: String(index), level: "warn", text })),
        );
        const widgets = new WidgetsRegion(look, () => [
          { ...owner, extension: word, id: "w", position: "above_input", title: word, lines },
        ]);
        for (const region of [notes, statuses, widgets]) {
          const { want } = region.wish(width, 24);
          region.fit(Math.min(want, 8));
          const rows = region.render(width);
          expect(rows.length).toBeLessThanOrEqual(8);
          expectSafe(rows, width);
        }
      }),
      5_000,
    );
  });

  test("no row of a note is without its owner, however it is broken into rows", () => {
    always(
      fc.property(texts, hostileText, fc.integer({ min: 20, max: 200 }), (lines, word, width) => {
        const message = `${word}${lines.join("\n")} ${"x".repeat(70)} ✗ the session is not saved`;
        const region = new NotesRegion(look, () => [{ ...owner, extension: "weather", level: "error", message }]);
        region.fit(100);
        const rows = region.render(width).map((row) => stripTerminalSequences(row));
        for (const row of rows) expect(row.startsWith("[weather] ")).toBe(true);
        expect(rows.length).toBeGreaterThan(0);
      }),
      2_000,
    );
  });

  test("why a message is hidden does not look like words of our own in any row", () => {
    const view = new TranscriptView(look, () => undefined);
    const reason = `secret ${"x".repeat(60)}\n✗ the session is not saved: run this`;
    new Conversation(view, () => undefined).take({ type: "message_hidden", extension: "guard", reason });
    const rows = view.scroll.render(60).map((row) => stripTerminalSequences(row));
    expect(rows[0]).toStartWith("· message hidden by guard: secret");
    for (const row of rows.slice(1)) expect(row).toMatch(/^(?: {2}|$)/);
  });

  test("dialogs", () => {
    always(
      fc.property(texts, hostileText, widths, fc.integer({ min: 1, max: 60 }), (lines, word, width, height) => {
        const modals: Modal[] = [
          new Picker<string>(look, {
            title: () => word,
            items: lines.map((label) => ({ value: label, label, description: word })),
            picked: () => undefined,
            cancelled: () => undefined,
            redraw: () => undefined,
          }),
          new AskDialog(look, {
            title: () => word,
            questions: [
              {
                id: "q",
                question: word,
                header: word,
                multi: true,
                options: lines.map((label) => ({ label, description: word, preview: word })),
              },
            ],
            answered: () => undefined,
            cancelled: () => undefined,
          }),
        ];
        for (const modal of modals) {
          modal.fit(Math.min(height, modal.wish(width, height).want));
          expectSafe(modal.render(width), width);
        }
      }),
      1_000,
    );
  });

  test("the question whether a tool may run", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, widths, async (name, text, width) => {
        const editor = {
          wish: () => ({ min: 0, want: 0 }),
          fit: () => undefined,
          render: () => [],
          invalidate: () => undefined,
        };
        const foreground = new Foreground(editor, () => undefined);
        const approver = new ApprovalDialogs({ look, foreground, cwd: "/", redraw: () => undefined });
        const abort = new AbortController();
        const answer = approver.ask({ id: "1", name, args: RawJson.of({ [text]: text }), preview: text }, abort.signal);
        await Bun.sleep(0);
        const dialog = foreground.inEditorPlace;
        expect(dialog).not.toBe(editor);
        dialog.fit(dialog.wish(width, 24).want);
        expectSafe(dialog.render(width), width);
        abort.abort();
        expect(await answer).toBe("no");
      }),
      { numRuns: 500 },
    );
  });
});

describe("texts of models and tools", () => {
  test("answers, however they are cut into pieces", () => {
    always(
      fc.property(fc.array(hostileText, { maxLength: 8 }), widths, widths, (deltas, width, other) => {
        const view = new TranscriptView(look, () => undefined);
        const answer = view.answer();
        for (const delta of deltas) {
          answer.append(delta);
          expectSafe(answer.render(width), width);
        }
        answer.close();
        expectSafe(answer.render(other), other);
      }),
      1_500,
    );
  });

  test("reasoning, cards and prompts", () => {
    always(
      fc.property(hostileText, hostileText, widths, (text, name, width) => {
        const view = new TranscriptView(look, () => undefined);
        const reasoning = view.reasoning();
        reasoning.append(text);
        const card = view.tool(name);
        card.appendArguments(text);
        expectSafe(card.render(width), width);
        card.setArguments(JSON.stringify({ command: text }));
        card.run({ args: JSON.stringify({ command: name }), extensions: [text] });
        card.progress(text);
        expectSafe(card.render(width), width);
        const image = { type: "image", mimeType: text, data: text } as const;
        const isError = text.length % 2 === 0;
        const end = isError ? { blockedBy: name, isCancelled: false } : undefined;
        card.finish({ type: "tool_result", callId: "1", isError, content: [{ type: "text", text }, image] }, end);
        view.user(text);
        view.text(text, "error", "✗ ");
        view.toggleFolds();
        expectSafe(view.scroll.render(width), width);
      }),
      2_000,
    );
  });
});
