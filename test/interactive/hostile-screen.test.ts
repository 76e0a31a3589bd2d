import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { ScrollView, TuiAltScreen } from "@earendil-works/pi-tui";
import { Terminal } from "@xterm/headless";
import fc from "fast-check";
import type { Note, Panel, Status, Widget } from "../../src/host/ports.ts";
import { NotesRegion } from "../../src/surfaces/interactive/extensions/notes-region.ts";
import { PanelRegion } from "../../src/surfaces/interactive/extensions/panel-region.ts";
import { StatusesRegion } from "../../src/surfaces/interactive/extensions/statuses-region.ts";
import { WidgetsRegion } from "../../src/surfaces/interactive/extensions/widgets-region.ts";
import { Shell } from "../../src/surfaces/interactive/screen/shell.ts";
import { StatusLine } from "../../src/surfaces/interactive/screen/status-line.ts";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import { TranscriptView } from "../../src/surfaces/interactive/transcript/transcript.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { offline, STARTED, showcase } from "./support/fixtures.ts";
import { harmIn, hostileText } from "./support/hostile-text.ts";
import { BareTerminal } from "./support/quiet-tui.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(120_000);

/** A terminal in memory, driven by the library as a real one would be. */
class MemoryTerminal extends BareTerminal {
  readonly emulator = new Terminal({ cols: 80, rows: 24, allowProposedApi: true });
  written = "";

  get columns(): number {
    return this.emulator.cols;
  }
  get rows(): number {
    return this.emulator.rows;
  }
  write(data: string): void {
    this.written += data;
  }
  async flush(): Promise<string> {
    const { written } = this;
    this.written = "";
    await new Promise<void>((resolve) => this.emulator.write(written, resolve));
    return written;
  }
}

/** What the library itself writes around rows: placing the cursor, erasing a row or the screen, modes it owns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences are what is looked for
const FRAME_SEQUENCES = /\u001b\[(?:\d+;\d+H|2[JK]|H|\?(?:2026|25|7|1049|100[0-6])[hl])/g;

/** The first thing in what was written that is neither the library's nor harmless; undefined when there is none. */
function harmInFrame(frame: string): string | undefined {
  return harmIn(frame.replace(FRAME_SEQUENCES, ""));
}

describe("the whole screen", () => {
  test("holds against anything that extensions show, at any size", async () => {
    const terminal = new MemoryTerminal();
    const look = new Look("truecolor");
    const shown: { notes: Note[]; statuses: Status[]; widgets: Widget[]; panel: Panel | undefined } = {
      notes: [],
      statuses: [],
      widgets: [],
      panel: undefined,
    };
    const panels = {
      get open() {
        return shown.panel;
      },
      resize: () => undefined,
      setFocused: () => undefined,
      close: () => undefined,
      key: () => true,
      paste: () => true,
    };
    const tui = new TuiAltScreen(terminal, true);
    const view = new TranscriptView(look, () => undefined);
    tui.setLayoutRoot(
      new Shell(terminal, {
        transcript: view.scroll,
        regions: [
          { region: new NotesRegion(look, () => shown.notes), rank: 3 },
          { region: new PanelRegion(look, panels), rank: 1 },
          { region: new WidgetsRegion(look, () => shown.widgets), rank: 4 },
          { region: new StatusesRegion(look, () => shown.statuses), rank: 2 },
          { region: new StatusLine(look, () => [{ text: "status", rank: 0 }]), rank: 0 },
        ],
      }),
    );
    tui.start();
    await terminal.flush();
    const owner = { extension: "x", generation: 1 };
    const sizes = fc.tuple(fc.integer({ min: 2, max: 200 }), fc.integer({ min: 1, max: 60 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(hostileText, { maxLength: 8 }),
        hostileText,
        sizes,
        async (lines, word, [cols, rows]) => {
          terminal.emulator.resize(cols, rows);
          shown.notes = [{ ...owner, level: word, message: word }];
          shown.statuses = [{ ...owner, key: "k", level: "info", text: word }];
          shown.widgets = [{ ...owner, id: "w", position: "above_input", title: word, lines }];
          shown.panel = { ...owner, id: "p", title: word, lines, footer: word };
          view.clear();
          view.text(word, "error");
          tui.renderNow();
          const frame = await terminal.flush();
          expect(harmInFrame(frame)).toBe(undefined);
          const { cursorX, cursorY, baseY } = terminal.emulator.buffer.active;
          expect(cursorX).toBeLessThanOrEqual(cols);
          expect(cursorY).toBeLessThan(rows);
          // Nothing has scrolled: every row was written into its own place.
          expect(baseY).toBe(0);
          const last = terminal.emulator.buffer.active.getLine(rows - 1)?.translateToString(true) ?? "";
          if (rows >= 5 && cols >= 8) expect(last.trim()).toBe("status");
        },
      ),
      { numRuns: 5_000 },
    );
    tui.stop({ preserveScreen: true });
  });

  test("a scroll view is what the shell scrolls", () => {
    expect(new TranscriptView(new Look("none"), () => undefined).scroll).toBeInstanceOf(ScrollView);
  });
});

describe.skipIf(!zotIsBuilt)("a hostile extension in a real terminal", () => {
  const HOSTILE = [
    "\u001b[2J\u001b[H\u001b[31mred",
    "\u001b]52;c;cHduZWQ=\u0007clip",
    "\u009b2J\u009d52;c;eA==\u009cc1",
    "\u001bP+q544e\u001b\\dcs",
    "wide 漢字".repeat(60),
    "👩‍👩‍👧‍👦".repeat(60),
    "tab\t\tend\rcr\bbs",
    "\u202eright to left",
    "é́́́́".repeat(100),
  ];

  test("neither panel, note, widget, status, title, dialog nor tool result reaches beyond its rows", async () => {
    await using screen = await openScreen(offline(showcase), { cols: 80, rows: 40 });
    await screen.shows(STARTED);
    await screen.settles();
    const before = screen.output.length;
    const text = HOSTILE.join(" ");
    const frames = [
      { type: "widget", id: "w", title: text, lines: HOSTILE },
      { type: "status", key: "k", text },
      { type: "notify", level: "warn", message: HOSTILE.join("\n") },
      { type: "extension_ui_request", id: "t", method: "setTitle", title: text },
      { type: "open_panel", panel: { id: "p", title: text, lines: HOSTILE, footer: text } },
    ];
    for (const frame of frames) {
      screen.paste(`/frame ${JSON.stringify(frame)}`);
      await screen.settles(100);
      await screen.press("enter");
      await screen.settles(150);
    }
    await screen.shows("[showcase]");
    await screen.press("escape");
    const ask = { type: "extension_ui_request", id: "s", method: "select", title: text, options: HOSTILE };
    screen.paste(`/frame ${JSON.stringify(ask)}`);
    await screen.settles(100);
    await screen.press("enter");
    await screen.settles();
    await screen.press("escape");
    await screen.enter(
      `call bash ${JSON.stringify({ command: "printf '\\033[2J\\033]52;c;eA==\\a\\233''2Jhostile\\ttool'" })}`,
    );
    await screen.shows("hostile");
    const written = screen.output.slice(before);
    // The title has its own sequence, which the library closes.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence is what is looked for
    const [title = ""] = /\u001b\]0;[^\u0007]*\u0007/.exec(written) ?? [];
    expect(harmIn(title.slice(4, -1))).toBe(undefined);
    expect(harmInFrame(written.replace(title, ""))).toBe(undefined);
    expect(written.split("\u001b[2J").length - 1).toBe(0);
    await screen.enter("say still here");
    await screen.shows(/^still here$/m);
  });
});

describe.skipIf(!zotIsBuilt)("small screens and sudden sizes", () => {
  test("20 by 6 is enough to say something and read the answer", async () => {
    await using screen = await openScreen(offline(), { cols: 20, rows: 6 });
    screen.type("say tiny");
    await screen.shows("say tiny");
    await screen.press("enter");
    await screen.shows(/^tiny$/m);
    screen.type("/");
    await screen.shows("help");
    await screen.press("escape");
    await screen.press("ctrlC");
    screen.type("draft");
    await screen.shows("draft");
    expect(screen.cursor.y).toBeLessThan(6);
  });

  test("a storm of resizes while text streams leaves a whole screen", async () => {
    await using screen = await openScreen(offline(showcase));
    await screen.shows(STARTED);
    await screen.enter('call bash {"command":"for i in $(seq 1 60); do echo row $i; sleep 0.02; done"}');
    for (let n = 0; n < 40; n += 1) {
      screen.resize(20 + ((n * 37) % 120), 6 + ((n * 11) % 40));
      await Bun.sleep(25);
    }
    screen.resize(80, 24);
    await screen.shows("1 tool result");
    await screen.settles();
    expect(screen.lines.at(-1)).toContain("offline");
    expect(screen.lines.filter((line) => line.startsWith("────"))).toHaveLength(2);
  });
});
