import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AskDialog } from "../../src/surfaces/interactive/dialogs/ask-dialog.ts";
import { ChoiceDialog } from "../../src/surfaces/interactive/dialogs/choice-dialog.ts";
import { InputDialog } from "../../src/surfaces/interactive/dialogs/input-dialog.ts";
import { MaskedInput } from "../../src/surfaces/interactive/dialogs/masked-input.ts";
import { messageRows } from "../../src/surfaces/interactive/dialogs/paged-rows.ts";
import { Picker } from "../../src/surfaces/interactive/dialogs/picker.ts";
import { panelKey } from "../../src/surfaces/interactive/extensions/panel-keys.ts";
import type { Modal } from "../../src/surfaces/interactive/screen/foreground.ts";
import { safeText } from "../../src/surfaces/interactive/text/safe-text.ts";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import { harmIn, hostileText } from "./support/hostile-text.ts";

const look = new Look("none");
const [PAGE_UP, PAGE_DOWN] = ["\u001b[5~", "\u001b[6~"];
/** Shift and a letter from a terminal that was told to modify other keys, and the letter from one with the kitty protocol. */
const SHIFT_A = "\u001b[27;2;65~";
const KITTY_B = "\u001b[98u";

/** What is drawn in a frame, as the shell asks for it; the rows of a dialog that has the keys. */
function drawn(modal: Modal & { focused: boolean }, width = 80, height = 24): string[] {
  modal.focused = true;
  modal.fit(Math.min(height, modal.wish(width, height).want));
  return modal.render(width).map((row) => safeText(row, "strip").trimEnd());
}

function type(modal: { handleInput(data: string): void }, ...keys: readonly string[]): void {
  for (const key of keys) modal.handleInput(key);
}

const nothing = {
  entered: () => undefined,
  cancelled: () => undefined,
  picked: () => undefined,
  redraw: () => undefined,
};
const line = (options: { readonly title?: string; readonly message?: string }): InputDialog =>
  new InputDialog(look, { ...nothing, ...options, title: () => options.title ?? "t", masked: false });

describe("a secret", () => {
  test("is typed at its end, whatever moves the cursor elsewhere", () => {
    const legacy = [
      "\u0001",
      "\u0005",
      "\u0002",
      "\u0006",
      "\u001bb",
      "\u001bf",
      "\u001b[H",
      "\u001b[F",
      "\u001b[D",
      "\u001b[C",
    ];
    const others = ["\u001b[1;5D", "\u001b[1;3C", "\u001b[97;5u", "\u001b[98;3u", "\u001b[27;5;97~", "\u001b[27;3;98~"];
    for (const move of [...legacy, ...others]) {
      const input = new MaskedInput();
      type(input, "a", "b", "c", move, "X");
      expect(input.getValue()).toBe("abcX");
    }
  });
});

describe("a letter that the terminal tells as a sequence", () => {
  test("is typed", () => {
    const masked = new MaskedInput();
    type(masked, "a", SHIFT_A, KITTY_B, "\u001b[127u");
    expect(masked.getValue()).toBe("aA");
    const input = line({});
    type(input, "a", SHIFT_A, KITTY_B);
    expect(drawn(input)).toContain("› aAb");
    const picker = new Picker<string>(look, { ...nothing, title: () => "t", items: [] });
    type(picker, SHIFT_A, KITTY_B);
    expect(drawn(picker)).toContain("› Ab");
    expect(panelKey(SHIFT_A)).toEqual({ kind: "rune", text: "A" });
    expect(panelKey(KITTY_B)).toEqual({ kind: "rune", text: "b" });
    expect(panelKey("\u001b[27;5;97~")).toEqual({ kind: "none" });
  });

  test("answers", () => {
    const chosen: string[] = [];
    const choice = new ChoiceDialog<string>(look, {
      title: () => "t",
      detail: messageRows(look, ""),
      choices: ["a", "A", "b"].map((key) => ({ key, label: key, value: key })),
      otherwise: "",
      chosen: (value) => chosen.push(value),
    });
    type(choice, SHIFT_A, KITTY_B);
    expect(chosen).toEqual(["A", "b"]);
    const options = ["one", "two"].map((label) => ({ label, description: "", preview: "" }));
    const ask = new AskDialog(look, {
      title: () => "t",
      questions: [{ id: "q", question: "?", header: "", multi: true, options }],
      answered: (answers) => chosen.push(...(answers[0]?.selectedOptions ?? [])),
      cancelled: () => undefined,
    });
    type(ask, "\u001b[50u", "\u001b[27;1;32~", "\r");
    expect(chosen).toEqual(["A", "b", "two"]);
  });
});

describe("a list", () => {
  test("is filtered by what was typed before the search was there, as soon as it is", async () => {
    const redrawn = Promise.withResolvers<void>();
    const items = ["reasoning", "green", "rather green"].map((label) => ({ value: label, label }));
    const picker = new Picker<string>(look, { ...nothing, title: () => "t", items, redraw: () => redrawn.resolve() });
    type(picker, ..."grn");
    expect(drawn(picker)).toContain("  no match");
    await redrawn.promise;
    expect(drawn(picker)).toContain(" green");
  });

  test("keeps the item that was chosen meanwhile", async () => {
    const redrawn = Promise.withResolvers<void>();
    const picked: string[] = [];
    const picker = new Picker<string>(look, {
      ...nothing,
      title: () => "t",
      items: ["xab", "ab", "a b"].map((label) => ({ value: label, label })),
      picked: (value) => picked.push(value),
      redraw: () => redrawn.resolve(),
    });
    type(picker, "a", "b");
    expect(drawn(picker)).toContain(" xab");
    await redrawn.promise;
    type(picker, "\r");
    expect(picked).toEqual(["xab"]);
  });
});

describe("what stands in a dialog", () => {
  test("is harmless, whoever wrote it", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (title, message) => {
        const dialog = line({ title, message });
        type(dialog, `\u001b[200~${message.replaceAll("\u001b[201~", "")}\u001b[201~`);
        dialog.focused = true;
        dialog.fit(dialog.wish(60, 24).want);
        for (const row of dialog.render(60)) expect(harmIn(row)).toBe(undefined);
      }),
      { numRuns: 1_000 },
    );
  });

  test("can be read to its end on any screen, and the line to type in stays", () => {
    const message = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");
    for (const [width, height] of [
      [80, 24],
      [20, 6],
    ] as const) {
      const dialog = line({ message });
      expect(drawn(dialog, width, height)[1]).toBe(" line 0");
      const seen = new Set<string>();
      for (let page = 0; page < 40; page += 1) {
        for (const row of drawn(dialog, width, height)) seen.add(row);
        type(dialog, PAGE_DOWN);
      }
      for (let at = 0; at < 30; at += 1) expect(seen).toContain(` line ${at}`);
      expect(drawn(dialog, width, height)).toContain("›");
      type(dialog, PAGE_UP);
      expect(drawn(dialog, width, height).join("\n")).toContain("more below");
    }
  });

  test("a question with choices shows what it is about and a choice on the lowest screen", () => {
    const dialog = new ChoiceDialog<string>(look, {
      title: () => "sure?",
      detail: messageRows(look, "one two three four five six seven eight nine"),
      choices: ["a", "b", "c"].map((key) => ({ key, label: key, value: key })),
      otherwise: "",
      chosen: () => undefined,
    });
    expect(drawn(dialog, 20, 6).slice(1, 4)).toEqual([" one two three four", " … 2 more below · p…", " a  a"]);
    type(dialog, "\u001b[B");
    expect(drawn(dialog, 20, 6)[3]).toBe(" b  b");
  });

  test("a long question of several is paged, and a preview that is cut says so", () => {
    const text = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
    const options = [{ label: "one", description: "", preview: text }];
    const ask = new AskDialog(look, {
      title: () => "t",
      questions: [{ id: "q", question: text, header: "", multi: false, options }],
      answered: () => undefined,
      cancelled: () => undefined,
    });
    const rows = drawn(ask);
    expect(rows).toContain(" … 15 more below · pgdn");
    expect(rows).toContain("  …");
    for (let page = 0; page < 5; page += 1) type(ask, PAGE_DOWN);
    expect(drawn(ask)).toContain(" line 19");
  });
});
