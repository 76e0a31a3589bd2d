import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripTerminalSequences } from "@earendil-works/pi-tui/dist/utils.js";
import { bashTool } from "../../src/agent/tools/bash.ts";
import type { ToolOutcome } from "../../src/agent/tools/tool.ts";
import { Look } from "../../src/surfaces/interactive/theme/look.ts";
import { type CallEnd, ToolCard } from "../../src/surfaces/interactive/transcript/tool-card.ts";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { kit, offline, STARTED } from "./support/fixtures.ts";
import { openScreen } from "./support/screen.ts";

setDefaultTimeout(30_000);

const bash = (command: string): string => `call bash ${JSON.stringify({ command })}`;

function rowsOf(card: ToolCard, width = 80): string[] {
  return card.render(width).map((row) => stripTerminalSequences(row).trimEnd());
}

function cardOf(name: string, args: object): ToolCard {
  const card = new ToolCard(new Look("256"), name);
  card.setArguments(JSON.stringify(args));
  return card;
}

function finish(card: ToolCard, text: string, isError = false, end?: CallEnd): ToolCard {
  card.finish({ type: "tool_result", callId: "1", content: [{ type: "text", text }], isError }, end);
  return card;
}

/** What the shell really answers. */
function runBash(command: string, signal = new AbortController().signal): Promise<ToolOutcome> {
  const context = { callId: "1", cwd: "/", signal, progress: () => undefined, update: () => undefined };
  return bashTool.run({ command }, context);
}

async function bashCard(command: string, name = "bash"): Promise<ToolCard> {
  const card = cardOf(name, { command });
  card.run();
  card.finish({ type: "tool_result", callId: "1", ...(await runBash(command)) });
  return card;
}

describe("the card of a call that an extension changed", () => {
  const rewritten = (from: object, to: object, name = "bash"): ToolCard => {
    const card = cardOf(name, from);
    card.run({ args: JSON.stringify(to), extensions: ["kit", "guard"] });
    return card;
  };

  test("says who changed it, and what ran", async () => {
    const card = rewritten({ command: "echo REWRITE" }, { command: "echo REWRITTEN" });
    card.finish({ type: "tool_result", callId: "1", ...(await runBash("echo REWRITTEN")) });
    expect(rowsOf(card)).toEqual(["● bash echo REWRITE", "  changed by kit, guard: echo REWRITTEN", "  REWRITTEN", ""]);
  });

  test("says it while somebody is asked, once", () => {
    const card = cardOf("bash", { command: "echo REWRITE" });
    const rewrite = { args: '{"command":"echo REWRITTEN"}', extensions: ["kit"] };
    card.ask(rewrite);
    const row = "  changed by kit: echo REWRITTEN";
    expect(rowsOf(card)[1]).toBe(row);
    card.run(rewrite);
    expect(rowsOf(card).filter((shown) => shown === row)).toHaveLength(1);
  });

  test("shows arguments that no title tells, and those that are gone", () => {
    const [command, path] = ["sleep 1", "a.txt"];
    expect(rowsOf(rewritten({ command }, { command, timeout: 5 }))[1]).toBe('  changed by kit, guard: {"timeout":5}');
    expect(rowsOf(rewritten({ command, timeout: 5 }, { command }))[1]).toEndWith(': {"command":"sleep 1"}');
    expect(rowsOf(rewritten({ path, content: "x" }, { path, content: "y" }, "write"))[1]).toEndWith(
      ': {"content":"y"}',
    );
  });

  test("shows nothing when it is the same in the end", () => {
    expect(rowsOf(rewritten({ command: "ls" }, { command: "ls" }))).toEqual(["◐ bash ls", ""]);
  });

  test("shows the whole of a long one when it is unfolded, safe from its text", () => {
    const command = Array.from({ length: 30 }, (_, n) => `echo ${n} \u001b[2J`).join("\n");
    const card = rewritten({ command: "echo" }, { command });
    expect(rowsOf(card)).toContain("  … 27 more rows (ctrl+o)");
    card.unfold(true);
    expect(rowsOf(card)).toContain("  echo 29");
    expect(card.render(80).join("")).not.toContain("\u001b[2J");
  });
});

describe("the card of a call that did not do its work", () => {
  test("has another mark than one that did, also without colours", () => {
    expect(rowsOf(finish(cardOf("weather", {}), "sunny"))[0]).toBe("● weather");
    expect(rowsOf(finish(cardOf("weather", {}), "no net", true))[0]).toBe("✗ weather");
    expect(rowsOf(finish(cardOf("weather", {}), "no net", true, { isCancelled: true }))[0]).toBe("⊘ weather");
    const left = cardOf("weather", {});
    left.abandon();
    expect(rowsOf(left)).toEqual(["⊘ weather", "  cancelled", ""]);
  });

  test("is a cancelled one when the command says so itself, as one of an earlier run", async () => {
    const abort = new AbortController();
    const running = runBash("echo '[cancelled]'; sleep 30", abort.signal);
    abort.abort();
    const card = cardOf("bash", { command: "echo '[cancelled]'; sleep 30" });
    card.finish({ type: "tool_result", callId: "1", ...(await running) });
    expect(rowsOf(card)[0]).toStartWith("⊘ bash");
    expect(rowsOf(await bashCard("echo '[cancelled]'; exit 3"))[0]).toStartWith("✗ bash");
  });

  test("names the extension that refused it", () => {
    const card = finish(cardOf("bash", { command: "ls" }), "not here", true, { blockedBy: "kit", isCancelled: false });
    expect(rowsOf(card)).toEqual(["✗ bash ls", "  blocked by kit: not here", ""]);
  });
});

describe("the card of a command", () => {
  test("shows its output alone, whatever the command looks like", async () => {
    for (const name of ["bash", "!", "!!"]) {
      const card = await bashCard("cat <<EOF\na\n\nb\nEOF\ntrue", name);
      expect(rowsOf(card).slice(1)).toEqual(["  a", "", "  b", ""]);
    }
    const long = await bashCard(`echo start; : '${"x\n\n".repeat(2_000)}'`);
    expect(rowsOf(long).slice(1)).toEqual(["  start", ""]);
    expect(rowsOf(await bashCard("printf 'a\\n\\n[exit 0]'"))).toContain("  [exit 0]");
  });

  test("takes nothing for the command that is not it", () => {
    const card = finish(cardOf("bash", { command: "echo a" }), "$ echo other\n\nb\n\n[exit 0]");
    expect(rowsOf(card).slice(1)).toEqual(["  $ echo other", "", "  b", "", "  [exit 0]", ""]);
  });

  test("of the user's own shows the end of its output, and more of it", async () => {
    const card = await bashCard("echo private; seq 1 100", "!!");
    const rows = rowsOf(card);
    expect(rows[1]).toBe("  … 81 more rows (ctrl+o)");
    expect(rows.slice(2)).toEqual([...Array.from({ length: 20 }, (_, n) => `  ${n + 81}`), ""]);
    expect(rowsOf(await bashCard("seq 1 100", "bash"))[1]).toBe("  … 94 more rows (ctrl+o)");
    expect(rowsOf(await bashCard("seq 1 60; exit 3", "!"))).toContain("  [exit 3]");
  });
});

describe("the card of a file that was read", () => {
  test("counts the lines of the file", () => {
    const title = (text: string): string | undefined => rowsOf(finish(cardOf("read", { path: "a" }), text))[0];
    expect(title("x\n".repeat(200))).toBe("● read a (200 lines)");
    expect(title("x\ny")).toBe("● read a (2 lines)");
    expect(title("\n")).toBe("● read a (1 line)");
    expect(title("")).toBe("● read a (0 lines)");
    expect(title(`${"x\n".repeat(2_000)}... [truncated at 2000 lines]`)).toBe("● read a (2000 lines)");
    expect(title(`${"long line\n".repeat(40_000)}`)).toBe("● read a (40000 lines)");
  });
});

describe.skipIf(!zotIsBuilt)("cards on the screen", () => {
  test("say what an extension made of a call, and which one refused one", async () => {
    await using screen = await openScreen(offline(kit));
    await screen.shows(STARTED);
    await screen.enter(bash("echo REWRITE"));
    await screen.shows(/^● bash echo REWRITE\n {2}changed by kit: echo REWRITTEN\n {2}REWRITTEN$/m);
    await screen.enter(bash("echo FORBIDDEN"));
    await screen.shows(/^✗ bash echo FORBIDDEN\n {2}blocked by kit: not in this house$/m);
  });

  test("of cancelled calls are no success", async () => {
    await using screen = await openScreen(offline());
    await screen.enter(bash("sleep 30"));
    await screen.shows("◐ bash sleep 30");
    await screen.press("escape");
    await screen.shows("⊘ bash sleep 30");
    await screen.enter("!sleep 31");
    await screen.shows(/◐ ! sleep 31 {2}\d s/);
    await screen.press("escape");
    await screen.shows("⊘ ! sleep 31");
  });

  test("tell how long a file is", async () => {
    await using dir = await tempDir();
    await writeFile(join(dir.path, "a.txt"), "line\n".repeat(200));
    await using screen = await openScreen(offline(), { cwd: dir.path });
    await screen.enter('call read {"path":"a.txt"}');
    await screen.shows("● read a.txt (200 lines)");
  });
});
