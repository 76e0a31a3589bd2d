import { describe, expect, test } from "bun:test";
import { sdkRuntimes } from "./runtimes.ts";

describe.each(sdkRuntimes)("stdin and stdout under $name", (runtime) => {
  test("whatever console prints is in the log and not among the frames", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    expect(ext.lines.join("\n")).not.toContain("stray");
    await ext.logged("stray log");
    await ext.logged("stray count: 1");
    for (const word of ["info", "debug", "group"]) expect(ext.stderr).toContain(`stray ${word}`);
    for (const word of ["table", "dir"]) expect(ext.stderr).toMatch(new RegExp(`stray.*${word}`, "s"));
  });

  test("only 0x0A ends a frame, and a character may come in pieces", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const text = "a\u2028b\u2029c\u0085d\u000be🎉";
    const bytes = new TextEncoder().encode(
      `{"type":"command_invoked","id":"e1","name":"echo","args":${JSON.stringify(text)}}\r\n`,
    );
    for (const byte of bytes) await ext.writeBytes(new Uint8Array([byte]));
    const { display } = await ext.next({ id: "e1" });
    expect(String(display).split("|")[1]).toBe(text);
  });

  test("several frames in one chunk, blank lines and rubbish among them, are each taken as they are", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.write(
      '\n{"type":"command_invoked","id":"a1","name":"noop"}\n\n{oops\n[]\nnull\n"x"\n{"type":5}\n{"type":"command_invoked","id":"a2","name":"noop"}\n',
    );
    await ext.next({ id: "a1" });
    await ext.next({ id: "a2" });
    // The log is another pipe: whole only once the process has ended.
    await ext.shutdown();
    expect(ext.stderr.match(/bad frame from the host/g)).toHaveLength(5);
  });

  test("the last frame counts even without its line feed", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.write('{"type":"command_invoked","id":"z","name":"string"}');
    ext.closeStdin();
    await ext.exited;
    expect(ext.lines.join("\n")).toContain('"display":"plain"');
  });

  test("lone surrogates leave as U+FFFD, everything else as it is", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const { content } = await ext.tool("surrogates", {});
    expect(content).toEqual([{ type: "text", text: "a\ufffdb \\ud83d \u{1f389}\u2028" }]);
    expect(ext.lines.at(-1)).toContain("a\ufffdb \\\\ud83d \u{1f389}");
  });

  test("type and id lead every answer", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.send({ type: "tool_call", id: "t1", name: "add", args: { a: 1 } });
    await ext.next({ id: "t1" });
    expect(ext.lines.at(-1)).toStartWith('{"type":"tool_result","id":"t1",');
  });

  test("a host that stops reading costs one-way frames, bounded memory, and no answer", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    ext.pauseReading();
    ext.send({ type: "command_invoked", id: "f", name: "flood", args: "60" });
    await ext.logged("the host does not read");
    ext.resumeReading();
    expect(await ext.next({ id: "f" })).toMatchObject({ action: "noop" });
    const floods = ext.lines.filter((line) => line.length > 1_000_000).length;
    expect(floods).toBeGreaterThan(10);
    expect(floods).toBeLessThan(30);
  });

  test("a host that closes our stdout ends the extension quietly", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    await ext.closeStdout();
    ext.send({ type: "command_invoked", id: "f", name: "flood", args: "2" });
    expect(await ext.exited).toBe(0);
    expect(ext.stderr).toContain("the host closed our stdout");
  });
});
