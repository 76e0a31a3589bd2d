import { describe, expect, test } from "bun:test";
import { sdkRuntimes } from "./runtimes.ts";

describe.each(sdkRuntimes)("commands under $name", (runtime) => {
  test("each way to reply becomes its action", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    expect(await ext.command("prompt")).toMatchObject({ action: "prompt", prompt: "do it" });
    expect(await ext.command("insert")).toMatchObject({ action: "insert", insert: "typed" });
    expect(await ext.command("display")).toMatchObject({ action: "display", display: "shown" });
    expect(await ext.command("late")).toMatchObject({ action: "display", display: "later" });
    expect(await ext.command("string")).toMatchObject({ action: "display", display: "plain" });
    expect(await ext.command("noop")).toMatchObject({ action: "noop" });
    expect(await ext.command("nothing")).toMatchObject({ action: "noop" });
    expect(await ext.command("panel")).toMatchObject({
      action: "open_panel",
      open_panel: { id: "p", title: "P", lines: ["one"] },
    });
  });

  test("the handler gets the arguments, and an empty text when the frame has none", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet({ cwd: "/project" });
    expect((await ext.command("echo", "a  b\nc"))["display"]).toBe("echo|a  b\nc|/project");
    expect((await ext.command("echo"))["display"]).toBe("echo||/project");
  });

  test("a throw becomes the error, its stack goes to the log, and the extension lives on", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    expect(await ext.command("throws")).toMatchObject({ error: "command failed" });
    await ext.logged("everything.mjs:");
    expect((await ext.command("missing"))["error"]).toBe("this extension has no command /missing");
    expect(await ext.command("noop")).toMatchObject({ action: "noop" });
  });

  test("one-way frames have the fields of the protocol", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const before = ext.lines.length;
    await ext.command("say");
    expect(ext.lines.slice(before, -1)).toEqual([
      '{"type":"notify","level":"warn","message":"note"}',
      '{"type":"clear_notes"}',
      '{"type":"submit","text":"as typed"}',
      '{"type":"status","key":"k","level":"success","text":"busy"}',
      '{"type":"widget","id":"w","position":"above_input","title":"W","lines":["a","b"]}',
      '{"type":"widget_clear","id":"w"}',
      '{"type":"alert","kind":"bell","reason":"done"}',
      '{"type":"open_panel","panel":{"id":"q","lines":["spontaneous"]}}',
      '{"type":"panel_render","panel_id":"q","lines":["again"],"footer":"f"}',
      '{"type":"panel_close","panel_id":"q"}',
      '{"type":"made_up","id":"x","value":1}',
    ]);
  });

  test("log is a frame where the host offers it and a line in the log where it does not", async () => {
    await using plain = runtime.start("everything.mjs");
    await plain.greet();
    await plain.command("log");
    await plain.logged("[info] structured");
    await using able = runtime.start("everything.mjs");
    await able.greet({ features: ["log"] });
    await able.command("log");
    await able.next({ type: "log", level: "info", message: "structured" });
  });

  test("panel frames reach the handlers of their panel only", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send(
      { type: "panel_key", panel_id: "other", key: "up" },
      { type: "panel_key", panel_id: "p", key: "rune", text: "ä" },
      { type: "panel_key", panel_id: "p", key: "down" },
      { type: "panel_resize", panel_id: "p", width: 80, height: 10 },
      { type: "panel_close", panel_id: "p" },
    );
    await ext.next({ message: "panel closed" });
    const notes = ext.lines.map((line) => JSON.parse(line).message).filter((note) => /^(key|resize)/.test(note));
    expect(notes).toEqual([
      'key {"panelId":"p","key":"rune","text":"ä"}',
      'key {"panelId":"p","key":"down","text":""}',
      'resize {"panelId":"p","width":80,"height":10}',
    ]);
  });

  test("a frame that only the author knows reaches the author, and one that nobody knows does no harm", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "constructor" }, { type: "nobodys" }, { type: "from_the_future", value: 5 });
    await ext.next({ message: "future 5" });
  });
});
