import { describe, expect, test } from "bun:test";
import { Foreground, type Modal } from "../../src/surfaces/interactive/screen/foreground.ts";
import type { Region } from "../../src/surfaces/interactive/screen/region.ts";

const [ENTER, NEW_LINE, ESCAPE] = ["\r", "\n", "\u001b"];
/** Fast, so that a machine that is busy makes no pause of it. */
const KEY_MS = 70;
/** No pause is longer than this. */
const WAIT_MS = 3_000;

const region = (): Region => ({
  wish: () => ({ min: 0, want: 0 }),
  fit: () => undefined,
  render: () => [],
  invalidate: () => undefined,
});
const modal = (): Modal => ({ ...region(), handleInput: () => undefined });

/** A foreground and who has the keys. */
class Keys {
  readonly editor = region();
  readonly foreground: Foreground;
  holder: Region = this.editor;

  constructor() {
    this.foreground = new Foreground(this.editor, (component) => {
      this.holder = component;
    });
  }

  /** Who gets the keys, one after the other; undefined for one that is dropped. */
  async type(keys: readonly string[]): Promise<(Region | undefined)[]> {
    const takers: (Region | undefined)[] = [];
    for (const key of keys) {
      takers.push(this.foreground.swallows(key) ? undefined : this.holder);
      await Bun.sleep(KEY_MS);
    }
    return takers;
  }

  async reach(wanted: Region): Promise<void> {
    const end = performance.now() + WAIT_MS;
    while (this.holder !== wanted) {
      if (performance.now() > end) throw new Error("it never got the keys");
      await Bun.sleep(5);
    }
  }
}

describe("who has the keys", () => {
  test("questions wait for each other, in the order in which they were asked", async () => {
    const keys = new Keys();
    const { foreground, editor } = keys;
    const [one, two, three] = [modal(), modal(), modal()];
    for (const question of [one, two, three]) foreground.ask(question);
    await keys.reach(one);
    foreground.close(one);
    expect(foreground.inEditorPlace).toBe(two);
    foreground.close(three);
    await keys.reach(two);
    foreground.close(two);
    expect(keys.holder).toBe(editor);
  });

  test("what the user opened himself stays in front, and what came meanwhile is below it", async () => {
    const keys = new Keys();
    const { foreground, editor } = keys;
    const [picker, question, panel] = [modal(), modal(), modal()];
    foreground.open(picker);
    foreground.ask(question);
    foreground.openPanel(panel);
    expect(keys.holder).toBe(picker);
    foreground.close(picker);
    await keys.reach(panel);
    foreground.close(panel);
    await keys.reach(question);
    foreground.close(question);
    expect(keys.holder).toBe(editor);
  });

  test("somebody who types goes on typing where he was, until he stops", async () => {
    for (const kind of ["question", "panel"]) {
      const keys = new Keys();
      const [before] = await keys.type(["o"]);
      const surprise = modal();
      if (kind === "panel") keys.foreground.openPanel(surprise);
      else keys.foreground.ask(surprise);
      const takers = await keys.type([..."yes, A or n"]);
      const last = performance.now() - KEY_MS;
      expect(new Set([before, ...takers])).toEqual(new Set([keys.editor]));
      await keys.reach(surprise);
      expect(performance.now() - last).toBeGreaterThan(350);
    }
  });

  test("keys that waited while the process stood still are still typing", async () => {
    const keys = new Keys();
    keys.foreground.ask(modal());
    const takers: (Region | undefined)[] = [];
    // Ready to be read, like keys in the terminal, when the pause has run out and the process can do nothing about it.
    const pipe = Bun.spawn(["sh", "-c", "sleep 0.2; echo y"], { stdout: "pipe" });
    const read = (async (): Promise<void> => {
      for await (const _ of pipe.stdout) takers.push(keys.foreground.swallows("y") ? undefined : keys.holder);
    })();
    await Bun.sleep(50);
    Bun.sleepSync(800);
    await read;
    expect(takers).toEqual([keys.editor]);
  });

  test("a question is deaf at first even when nobody typed", async () => {
    const keys = new Keys();
    const question = modal();
    keys.foreground.ask(question);
    expect(keys.holder).toBe(keys.editor);
    expect(keys.foreground.kindOnTop).toBe("editor");
    await keys.reach(question);
    expect(keys.foreground.kindOnTop).toBe("question");
  });

  test("until then an enter is dropped, a new line is not, and esc reaches what has come", async () => {
    for (const open of ["ask", "openPanel"] as const) {
      const keys = new Keys();
      const surprise = modal();
      keys.foreground[open](surprise);
      expect(await keys.type([ENTER, NEW_LINE, ESCAPE])).toEqual([undefined, keys.editor, surprise]);
    }
  });

  test("a panel that was called for has the keys at once", () => {
    const keys = new Keys();
    const panel = modal();
    expect(keys.foreground.swallows(ENTER)).toBe(false);
    keys.foreground.openPanel(panel);
    expect(keys.holder).toBe(panel);
  });

  test("a panel keeps its keys while a question waits, and has them back without a pause", async () => {
    const keys = new Keys();
    const [panel, question] = [modal(), modal()];
    keys.foreground.swallows(ENTER);
    keys.foreground.openPanel(panel);
    keys.foreground.ask(question);
    expect(await keys.type(["a", "b"])).toEqual([panel, panel]);
    expect(keys.foreground.kindOnTop).toBe("panel");
    await keys.reach(question);
    keys.foreground.close(question);
    expect(keys.holder).toBe(panel);
  });

  test("a second y answers neither the next question nor lands in the prompt", async () => {
    const keys = new Keys();
    const [one, two] = [modal(), modal()];
    keys.foreground.ask(one);
    keys.foreground.ask(two);
    await keys.reach(one);
    keys.foreground.close(one);
    const [taker] = await keys.type(["y"]);
    expect([one, two, keys.editor]).not.toContain(taker);
    await keys.reach(two);
  });

  test("what is closed while somebody types into it leaves the keys to what is below", async () => {
    const keys = new Keys();
    const [panel, question] = [modal(), modal()];
    keys.foreground.swallows(ENTER);
    keys.foreground.openPanel(panel);
    keys.foreground.ask(question);
    keys.foreground.close(panel);
    expect(await keys.type(["a"])).toEqual([keys.editor]);
    await keys.reach(question);
  });
});
