import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { renderLayoutFrame } from "@earendil-works/pi-tui/dist/layout.js";
import { stripTerminalSequences } from "@earendil-works/pi-tui/dist/utils.js";
import { SideAnswer } from "../../src/surfaces/interactive/side/side-answer.ts";
import { LIGHT } from "../../src/surfaces/interactive/theme/builtin.ts";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import type { Block } from "../../src/surfaces/interactive/transcript/block.ts";
import { replay } from "../../src/surfaces/interactive/transcript/replay.ts";
import { TranscriptView } from "../../src/surfaces/interactive/transcript/transcript.ts";

setDefaultTimeout(60_000);

const ROWS = 24;

function plain(rows: readonly string[]): string[] {
  return rows.map((row) => stripTerminalSequences(row).trimEnd());
}

function ms(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** The quickest of several: what else the machine does is not what is measured. */
function least(runs: number, work: (run: number) => unknown): number {
  return Math.min(...Array.from({ length: runs }, (_, run) => ms(() => work(run))));
}

/** A transcript on a screen of its own. */
class Bench {
  readonly look = new Look("256");
  /** How often it asked for another frame. */
  asked = 0;
  readonly view = new TranscriptView(this.look, () => {
    this.asked += 1;
  });

  static async open(): Promise<Bench> {
    const bench = new Bench();
    bench.view.scroll.setScrollbar("hidden");
    await bench.view.markdown.load();
    bench.view.highlighter.lines("x", "js");
    while (!bench.view.highlighter.isLoaded) await Bun.sleep(5);
    return bench;
  }

  /** One frame; the rows on the screen. */
  frame(width: number): string[] {
    this.asked = 0;
    return plain(renderLayoutFrame(this.view.scroll, width, ROWS, () => undefined).lines);
  }

  /** Frames until nothing is left to draw. */
  settle(width: number): string[] {
    let rows = this.frame(width);
    for (let frames = 0; this.asked > 0; frames += 1) {
      if (frames > 2_000) throw new Error("it never stops asking for frames");
      rows = this.frame(width);
    }
    return rows;
  }

  fill(turns: number): void {
    for (let n = 0; n < turns; n += 1) {
      this.view.user(`prompt ${n}`);
      this.view
        .answer(
          `Some **text** of an answer with \`code\` in it, ${n}.\n\n- one\n- two\n- three\n\n\`\`\`js\nconst a = ${n};\n\`\`\`\n\n` +
            "And a last paragraph that goes on for somewhat more than one row of the screen, so that it wraps.\n",
        )
        .close();
      const card = this.view.tool("bash");
      card.setArguments('{"command":"ls"}');
      card.finish({
        type: "tool_result",
        callId: "1",
        content: [{ type: "text", text: `$ ls\n\n${"file name here\n".repeat(100)}[exit 0]` }],
        isError: false,
      });
    }
  }
}

describe("a transcript of 20,000 rows", () => {
  test("costs a resize, a theme or an unfolding no more than what is near the screen", async () => {
    const bench = await Bench.open();
    bench.fill(900);
    bench.settle(100);
    const { view, look } = bench;
    // All of it at once took 220 ms and more; a frame may draw for 8 ms beyond what it must.
    expect(least(5, (run) => bench.frame(99 - run))).toBeLessThan(80);
    bench.settle(100);
    expect(
      least(3, () => {
        look.use(LIGHT);
        view.scroll.invalidate();
        bench.frame(100);
      }),
    ).toBeLessThan(80);
    bench.settle(100);
    expect(
      least(3, () => {
        view.toggleFolds();
        bench.frame(100);
      }),
    ).toBeLessThan(80);
  });

  test("shows at once what is on the screen as it is at this width, and in the end all of it", async () => {
    const bench = await Bench.open();
    bench.fill(900);
    const fresh = await Bench.open();
    fresh.fill(900);
    bench.settle(100);
    const wanted = fresh.settle(61);
    expect(bench.frame(61)).toEqual(wanted);
    expect(bench.asked).toBeGreaterThan(0);
    bench.settle(61);
    expect(bench.view.scroll.render(61)).toEqual(fresh.view.scroll.render(61));
  });

  test("starts with its end, before the rest of it is drawn", async () => {
    const bench = await Bench.open();
    bench.fill(900);
    const first = bench.frame(100);
    expect(bench.asked).toBeGreaterThan(0);
    expect(first.join("\n")).toContain("… 95 more rows");
    expect(bench.settle(100)).toEqual(first);
  });

  test("follows its end through a resize, and new text after it", async () => {
    const bench = await Bench.open();
    bench.fill(300);
    bench.settle(100);
    bench.frame(50);
    bench.view.text("the newest", "muted");
    expect(bench.frame(50)).toContain("the newest");
    expect(bench.settle(50)).toContain("the newest");
    expect(bench.view.scroll.isFollowingEnd).toBe(true);
  });

  test("keeps what is read at the top of the screen while all above it is drawn anew", async () => {
    const bench = await Bench.open();
    bench.fill(300);
    bench.settle(100);
    const turn = bench.view.turns[200];
    if (turn === undefined) throw new Error("there are 300 turns");
    bench.view.jumpTo(turn);
    expect(bench.frame(100)[0]).toBe("› prompt 200");
    for (const width of [60, 41, 130, 100]) {
      expect(bench.frame(width)[0]).toBe("› prompt 200");
      while (bench.asked > 0) expect(bench.frame(width)[0]).toBe("› prompt 200");
    }
    bench.view.toggleFolds();
    expect(bench.frame(100)[0]).toBe("› prompt 200");
    expect(bench.settle(100)[0]).toBe("› prompt 200");
    expect(bench.view.scroll.isFollowingEnd).toBe(false);
  });

  test("keeps the row at the top while cards above, in and below it are unfolded and folded again", async () => {
    const bench = await Bench.open();
    for (let n = 0; n < 6; n += 1) {
      bench.view.user(`prompt ${n}`);
      const text = Array.from({ length: 60 }, (_, line) => `card ${n} line ${line}`).join("\n");
      const card = bench.view.tool("bash");
      card.setArguments(`{"command":"card ${n}"}`);
      card.finish({ type: "tool_result", callId: "1", content: [{ type: "text", text }], isError: false });
    }
    bench.settle(100);
    // The end of a card, the head of another, and what is only there while it is folded, which its head stands for.
    for (const [row, folded, unfolded] of [
      [7, "  card 0 line 57", "  card 0 line 57"],
      [13, "● bash card 1", "● bash card 1"],
      [14, "  … 54 more rows (ctrl+o)", "● bash card 1"],
    ] as const) {
      bench.view.scroll.scrollTo(row);
      expect(bench.settle(100)[0]).toBe(folded);
      bench.view.toggleFolds();
      expect(bench.frame(100)[0]).toBe(unfolded);
      expect(bench.settle(100)[0]).toBe(unfolded);
      bench.view.toggleFolds();
      expect(bench.settle(100)[0]).toBe(unfolded);
    }
  });

  test("keeps the card at the top whose row there is folded away", async () => {
    const bench = await Bench.open();
    bench.view.toggleFolds();
    bench.fill(20);
    bench.settle(100);
    bench.view.scroll.scrollTo(40);
    expect(bench.settle(100)[0]).toBe("  file name here");
    bench.view.toggleFolds();
    expect(bench.settle(100)[0]).toBe("● bash ls");
    expect(bench.view.scroll.isFollowingEnd).toBe(false);
  });

  test("leaves the last column to the scrollbar, also while there is none", async () => {
    const bench = await Bench.open();
    bench.view.text("x".repeat(300), "muted");
    bench.view.user("y".repeat(300));
    expect(bench.frame(60).every((row) => row.length <= 59)).toBe(true);
    expect(bench.frame(60)[0]).toBe("x".repeat(59));
  });

  test("goes to a prompt that was never drawn, or is of another width by now", async () => {
    const bench = await Bench.open();
    bench.fill(600);
    const jump = (n: number): void => {
      const turn = bench.view.turns[n];
      if (turn !== undefined) bench.view.jumpTo(turn);
    };
    bench.frame(100);
    jump(10);
    expect(bench.frame(100)[0]).toBe("› prompt 10");
    expect(bench.settle(100)[0]).toBe("› prompt 10");
    bench.view.toEnd();
    bench.frame(57);
    jump(20);
    expect(bench.frame(57)[0]).toBe("› prompt 20");
    expect(bench.settle(57)[0]).toBe("› prompt 20");
  });

  test("does not move under the reader when something above goes", async () => {
    const bench = await Bench.open();
    const notes: Block[] = Array.from({ length: 5 }, (_, n) => bench.view.text(`note ${n}`, "error", "✗ "));
    bench.fill(50);
    bench.settle(100);
    bench.view.scroll.scrollTo(200);
    const before = bench.frame(100);
    for (const note of notes) bench.view.remove(note);
    expect(bench.settle(100)).toEqual(before);
  });
});

describe("what the transcript keeps", () => {
  test("is bounded in entries, and a sign tells that older ones are left out", async () => {
    const bench = await Bench.open();
    for (let n = 0; n < 4_500; n += 1) bench.view.text(`entry ${n}`, "muted");
    bench.settle(100);
    const rows = plain(bench.view.scroll.render(100));
    expect(rows[0]).toMatch(/^… \d+ older entries are left out/);
    const left = Number(/\d+/.exec(rows[0] ?? "")?.[0]);
    expect(rows[2]).toBe(`entry ${left}`);
    expect(rows.at(-2)).toBe("entry 4499");
    bench.view.clear();
    bench.view.text("new", "muted");
    expect(plain(bench.view.scroll.render(100))).toEqual(["new", ""]);
  });

  test("is bounded in characters: results, arguments and pictures", async () => {
    const bench = await Bench.open();
    const cards = Array.from({ length: 60 }, (_, n) => {
      const card = bench.view.tool("read");
      card.setArguments(JSON.stringify({ path: `file ${n}`, content: "x".repeat(200_000) }));
      const picture = { type: "image", mimeType: "image/png", data: "A".repeat(1024 * 1024) } as const;
      card.finish({ type: "tool_result", callId: "1", content: [picture], isError: false });
      return card;
    });
    bench.settle(100);
    const rows = plain(bench.view.scroll.render(100));
    expect(rows[0]).toMatch(/^… \d+ older entries are left out/);
    expect(rows.join("\n")).toContain("file 59");
    expect(rows.join("\n")).not.toContain("file 9 ");
    // Of its arguments a card keeps a line.
    expect(Math.max(...cards.map(({ chars }) => chars))).toBeLessThan(1.1 * 1024 * 1024);
  });

  test("is bounded in one card: many pictures are named, not drawn", async () => {
    const card = (await Bench.open()).view.tool("screenshots");
    const picture = { type: "image", mimeType: "image/png", data: "A".repeat(2 * 1024 * 1024) } as const;
    card.finish({
      type: "tool_result",
      callId: "1",
      content: Array.from({ length: 30 }, () => picture),
      isError: false,
    });
    expect(card.chars).toBeLessThan(10 * 1024 * 1024);
    expect(plain(card.render(80)).filter((row) => row.includes("[image/png")).length).toBe(30);
  });
});

describe("a card", () => {
  test("with long arguments costs a tick of its clock nothing", async () => {
    const card = (await Bench.open()).view.tool("write");
    card.setArguments(JSON.stringify({ path: "a.txt", content: "x\n".repeat(400_000) }));
    card.run();
    expect(plain(card.render(80))[0]).toBe("◐ write a.txt");
    // It was 12 ms for each of them.
    expect(
      least(10, () => {
        card.changed();
        card.render(80);
      }),
    ).toBeLessThan(4);
  });

  test("tells the first argument where there are too many to be read", async () => {
    const card = (await Bench.open()).view.tool("write");
    card.setArguments(JSON.stringify({ path: "a.txt", content: "x".repeat(3_000_000) }));
    expect(plain(card.render(80))[0]).toBe("○ write a.txt");
  });

  test("shows a line of output that does not end, and runs of empty ones, at once", async () => {
    const card = (await Bench.open()).view.tool("bash");
    for (const text of ["x".repeat(100_000), `${"\n".repeat(100_000)}x`, "漢".repeat(50_000)]) {
      card.finish({ type: "tool_result", callId: "1", content: [{ type: "text", text }], isError: false });
      // It was seven seconds and more: an expression looked at all that follows from every character.
      expect(ms(() => card.render(80))).toBeLessThan(1_500);
    }
  });

  test("shows the last state of a line that was written over", async () => {
    const card = (await Bench.open()).view.tool("other");
    const text = "10 %\r50 %\r100 %\nnext\r\nlast\r";
    card.finish({ type: "tool_result", callId: "1", content: [{ type: "text", text }], isError: false });
    expect(plain(card.render(80))).toEqual(["● other", "  100 %", "  next", "  last", ""]);
  });

  test("sets in what a tool says, however narrow the screen is", async () => {
    const card = (await Bench.open()).view.tool("other");
    const text = "out\n✗ the session is not saved";
    card.finish({ type: "tool_result", callId: "1", content: [{ type: "text", text }], isError: false });
    for (const width of [100, 24, 10]) {
      for (const row of plain(card.render(width)).slice(1, -1)) expect(row).toStartWith(" ");
    }
  });

  test("shows a character whole that came in two pieces of progress", async () => {
    const card = (await Bench.open()).view.tool("bash");
    card.run();
    card.progress("smile \ud83d");
    expect(plain(card.render(80))[1]).toBe("  smile");
    card.progress("\ude00");
    expect(plain(card.render(80))[1]).toBe("  smile 😀");
  });
});

describe("reasoning", () => {
  test("costs a frame the same however long it is", async () => {
    const { view } = await Bench.open();
    for (const [open, limit] of [
      [false, 4],
      [true, 8],
    ] as const) {
      const block = view.reasoning();
      block.unfold(open);
      for (let n = 0; n < 4_000; n += 1) block.append("thinking about the thing and about other things as well. ");
      // It was 20 ms.
      expect(
        least(10, () => {
          block.append("and then ");
          block.render(100);
        }),
      ).toBeLessThan(limit);
      expect(plain(block.render(100)).at(-2)).toContain("and then");
    }
  });

  test("does not move from row to row while it grows", async () => {
    const block = (await Bench.open()).view.reasoning();
    let last: string[] = [];
    let moved = 0;
    for (let n = 0; n < 2_000; n += 1) {
      block.append(`word${n % 7} `);
      const rows = plain(block.render(60)).slice(1, -1);
      // The last row grows, a full one scrolls up; anything else would be another way to wrap the same words.
      const isSame = rows[0] === last[0] || rows[0] === last[1] || last.length < 3;
      if (!isSame) moved += 1;
      last = rows;
    }
    expect(moved).toBeLessThan(60);
  });

  test("shows a character whole that came in two pieces", async () => {
    const block = (await Bench.open()).view.reasoning();
    block.append("hm \ud83d");
    expect(plain(block.render(60))[1]).toBe("  hm");
    block.append("\ude00");
    expect(plain(block.render(60))[1]).toBe("  hm 😀");
  });

  test("has no marks of emphasis, at no moment", async () => {
    const { view } = await Bench.open();
    const block = view.reasoning();
    block.unfold(true);
    for (const char of "**Looking at b.ts**\n\nIt is **bold** here.") {
      block.append(char);
      expect(plain(block.render(80)).join("\n")).not.toMatch(/\*\*|\w\*/);
    }
    block.append(" And 2 ** 3, f(**args, **more).\n");
    for (let round = 0; round < 2; round += 1) {
      expect(plain(block.render(80)).slice(1)).toEqual([
        "  Looking at b.ts",
        "",
        "  It is bold here. And 2 ** 3, f(**args, **more).",
        "",
      ]);
      block.close();
    }
  });

  test("of an earlier run has no time, since nobody knows it", async () => {
    const { view } = await Bench.open();
    const message = {
      role: "assistant",
      content: [{ type: "reasoning", text: "deep thought" }],
      time: 0,
      provider: "offline",
      model: "offline",
    } as const;
    replay({ messages: [message], displayText: () => undefined, metaOf: () => ({}) }, view);
    expect(plain(view.scroll.render(60))).toEqual(["∴ thought", "", "· (empty answer)", ""]);
    view.toggleFolds();
    expect(plain(view.scroll.render(60))).toEqual(["∴ thought", "  deep thought", "", "· (empty answer)", ""]);
  });
});

describe("an answer beside the conversation", () => {
  const COLOURED = /\[38;5;\d+mconst/;

  test("is drawn anew when colours and markdown come, and when the theme changes", async () => {
    const look = new Look("256");
    const view = new TranscriptView(look, () => undefined);
    const { highlighter, markdown } = view;
    const side = new SideAnswer({ look, highlighter, markdown, question: "q", closed: () => undefined });
    side.append("**bold**\n\n```js\nconst a = 1;\n```\n");
    side.end();
    const rows = (): string => {
      side.fit(side.wish(80, 40).want);
      return side.render(80).join("\n");
    };
    expect(rows()).toContain("**bold**");
    await markdown.load();
    expect(rows()).not.toContain("**bold**");
    while (!highlighter.isLoaded) await Bun.sleep(5);
    const dark = rows();
    expect(dark).toMatch(COLOURED);
    look.use(LIGHT);
    side.invalidate();
    expect(rows()).toMatch(COLOURED);
    expect(COLOURED.exec(rows())?.[0]).not.toBe(COLOURED.exec(dark)?.[0]);
  });
});
