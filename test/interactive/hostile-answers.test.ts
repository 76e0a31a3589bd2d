import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { stripTerminalSequences } from "@earendil-works/pi-tui/dist/utils.js";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import type { AnswerBlock } from "../../src/surfaces/interactive/transcript/answer-block.ts";
import { answerPieces } from "../../src/surfaces/interactive/transcript/answer-pieces.ts";
import { TranscriptView } from "../../src/surfaces/interactive/transcript/transcript.ts";
import { startModelServer } from "../support/model-server.ts";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { served } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(60_000);

/** Answers that made a library call itself until the stack was exhausted. */
const DEEP: readonly (readonly [string, string])[] = [
  ["quotes in quotes", ">".repeat(20_000)],
  ["lists in lists", `${"- ".repeat(8_000)}x`],
  ["lists in quotes in lists", `${"+ > ".repeat(6_000)}x`],
  ["lists set in further and further", Array.from({ length: 600 }, (_, n) => `${" ".repeat(2 * n)}- x`).join("\n")],
  ["scopes in scopes", `\`\`\`js\n${"`${".repeat(15_000)}\n\`\`\``],
  ["links in links", "[a](".repeat(5_000)],
  ["braces in formulas", `$$\n${"{".repeat(10_000)}\n$$`],
];

async function openView(): Promise<TranscriptView> {
  const view = new TranscriptView(new Look("256"), () => undefined);
  await view.markdown.load();
  view.highlighter.lines("x", "js");
  while (!view.highlighter.isLoaded) await Bun.sleep(5);
  return view;
}

function rowsOf(answer: AnswerBlock, width = 80): string[] {
  return answer.render(width).map((row) => stripTerminalSequences(row).trimEnd());
}

function ms(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

describe("answers that are too much for a library", () => {
  for (const [name, text] of DEEP) {
    test(`${name} are shown as they were written, and what stands beside them as ever`, async () => {
      const view = await openView();
      const answer = view.answer();
      for (let at = 0; at < text.length; at += 3_000) {
        answer.append(text.slice(at, at + 3_000));
        rowsOf(answer);
      }
      answer.append("\n\n# behind *it*\n");
      answer.close();
      const whole = view.answer(`before **it**\n\n${text}\n\n# behind *it*\n`);
      whole.close();
      for (const rows of [rowsOf(answer), rowsOf(whole), rowsOf(whole, 33)]) {
        expect(rows).toContain("behind it");
        expect(rows.join("\n")).not.toContain("cannot be shown");
        expect(rows.join("").length).toBeGreaterThan(100);
      }
      expect(rowsOf(whole)[0]).toBe("before it");
    });
  }

  test("a rule of dashes and code with many markers are what they were", async () => {
    const view = await openView();
    const quotes = "> ".repeat(50);
    const answer = view.answer(`one\n\n${"-".repeat(99)}\n\n\`\`\`\n${quotes}x\n# no heading\n\`\`\`\n`);
    answer.close();
    expect(rowsOf(answer, 120).map((row) => row.trim())).toEqual([
      "one",
      "",
      "─".repeat(80),
      "",
      `${quotes}x`,
      "# no heading",
      "",
    ]);
  });
});

describe("the cost of a frame", () => {
  test("does not grow with a line that does not end", async () => {
    const view = await openView();
    for (const word of ["plain words without a line feed ", "x".repeat(32), "漢字かな".repeat(8)]) {
      const answer = view.answer();
      const times: number[] = [];
      for (let at = 0; at < 200_000; at += 320) {
        answer.append(word.repeat(10));
        times.push(ms(() => answer.render(80)));
      }
      // It was 700 ms; a busy machine may be slow, but not by so much.
      expect(median(times.slice(-60))).toBeLessThan(60);
    }
  });

  test("does not grow with a block of code that does not end, in many lines or in one", async () => {
    const view = await openView();
    for (const line of ["  const a = b; // …\n", "const a=b;"]) {
      const answer = view.answer("```js\n");
      const times: number[] = [];
      for (let at = 0; at < 200_000; at += 400) {
        answer.append(line.repeat(400 / line.length));
        times.push(ms(() => answer.render(80)));
      }
      expect(median(times.slice(-60))).toBeLessThan(40);
    }
  });

  test("is bounded where emphasis is opened and never closed", async () => {
    const view = await openView();
    for (const piece of ["*a _b ", "*a _b\n", "**a ", "“*a” ", "- *a _b\n  _c", "- a\n  *b\n"]) {
      const answer = view.answer(piece.repeat(16_000 / piece.length));
      // It was more than two seconds.
      expect(ms(() => answer.render(80))).toBeLessThan(700);
    }
  });

  test("is bounded for an item of a list with very many lines", async () => {
    const view = await openView();
    const answer = view.answer(`- an item\n${"  and words\n".repeat(1_200)}`);
    // It was ten seconds.
    expect(ms(() => answer.render(80))).toBeLessThan(700);
  });

  test("is small for a stored answer of any length, and its end is cut off", async () => {
    const view = await openView();
    const answer = view.answer("word ".repeat(2_000_000));
    answer.close();
    expect(rowsOf(answer).at(-2)).toBe("… (cut on the screen)");
    expect(answer.chars).toBeLessThan(600_000);
    expect(rowsOf(answer).length).toBeLessThan(8_000);
  });
});

describe("long markdown", () => {
  test("looks the same whether it comes as a whole or in pieces", async () => {
    const view = await openView();
    const text = [
      "# Head\n",
      `A paragraph that is long. ${"With **bold** words and `code` in it. ".repeat(20)}\n`,
      Array.from(
        { length: 150 },
        (_, n) => `${n + 1}. item ${n + 1} of a list that is longer than one piece of it`,
      ).join("\n"),
      "\nbetween [one][a] and [two][a]\n",
      "[a]: http://example.org/a\n[a]: http://example.org/b\n",
      "> quoted\n> text\n",
      "| a | b |\n|---|---|\n| 1 | 2 |\n",
      `\`\`\`js\n${"const a = 1;\n".repeat(400)}\`\`\`\n`,
      "[a]: http://example.org/c\n\nthe end",
    ].join("\n");
    const whole = view.answer(text);
    whole.close();
    const rows = rowsOf(whole);
    for (const size of [1, 7, 1_000]) {
      const answer = view.answer();
      for (let at = 0; at < text.length; at += size) {
        answer.append(text.slice(at, at + size));
        if (at % 5_000 < size) answer.render(80);
      }
      answer.close();
      expect(rowsOf(answer)).toEqual(rows);
    }
    expect(rows.filter((row) => /^\d+\. item \d+ of/.test(row))).toEqual(
      Array.from({ length: 150 }, (_, n) => `${n + 1}. item ${n + 1} of a list that is longer than one piece of it`),
    );
    expect(rows.filter((row) => row.trim() === "const a = 1;").length).toBe(400);
    expect(rows.at(-2)).toBe("the end");
  });

  test("what is drawn anew of a list of short items is small, however many there are", () => {
    const raw = Array.from({ length: 500 }, (_, n) => `- item ${n} with some **words**\n`).join("");
    const list = answerPieces({ type: "list", raw });
    expect(list.join("")).toBe(raw);
    for (const piece of list) {
      expect(piece).toStartWith("- item ");
      expect(piece.length).toBeLessThan(1.5 * 1024);
    }
  });

  test("a list, a table and a paragraph have no gap where they are cut into pieces", async () => {
    const view = await openView();
    const list = rowsOf(view.answer("- one item of a long list of items\n".repeat(500)));
    expect(list.slice(0, -1).filter((row) => row === "")).toEqual([]);
    const table = rowsOf(view.answer(`| a | b |\n|---|---|\n${"| some words | and others |\n".repeat(1_000)}`));
    expect(table.slice(0, -1).filter((row) => row === "" || row.startsWith("| "))).toEqual([]);
    const words = rowsOf(view.answer("some - words # of 1. a paragraph ".repeat(600)));
    expect(words.slice(0, -1).filter((row) => !/^[a-z#\d-]/.test(row))).toEqual([]);
    expect(words.join(" ").match(/paragraph/g)?.length).toBe(600);
  });
});

describe("a character that comes in two pieces", () => {
  test("is one character in an answer, before markdown can be read as well", async () => {
    const loaded = await openView();
    const bare = new TranscriptView(new Look("256"), () => undefined);
    for (const view of [loaded, bare]) {
      const answer = view.answer();
      answer.append("smile \ud83d");
      expect(rowsOf(answer)[0]).toBe("smile");
      answer.append("\ude00, e");
      answer.render(80);
      answer.append("\u0301 and क");
      answer.render(80);
      answer.append("ि");
      answer.close();
      expect(rowsOf(answer)[0]).toBe("smile 😀, e\u0301 and कि");
    }
  });

  test("half a character that nothing follows is a sign of it", async () => {
    const answer = (await openView()).answer("half \ud83d");
    answer.close();
    expect(rowsOf(answer)[0]).toBe("half \ufffd");
  });
});

describe.skipIf(!zotIsBuilt)("a session with such answers", () => {
  test("goes on, and can be opened again", async () => {
    await using home = await tempDir();
    await using cwd = await tempDir();
    const place = { home: home.path, cwd: cwd.path };
    const texts = DEEP.map(([name, text]) => `${text}\n\nso much for ${name}`);
    await using server = await startModelServer(texts.map((text) => ({ text })));
    {
      await using screen = await openScreen(served(server), place);
      for (const [name] of DEEP) {
        await screen.enter("the next one, please");
        await screen.shows(`so much for ${name}`);
      }
      await screen.press("ctrlD");
      expect(await screen.exits()).toBe(0);
    }
    await using screen = await openScreen([...served(server), "--continue"], place);
    await screen.shows("so much for braces in formulas");
    await screen.press("pageUp");
    await screen.press("ctrlD");
    expect(await screen.exits()).toBe(0);
  });
});
