import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { RpcProcess } from "./support/rpc-process.ts";

const ASKER = join(import.meta.dir, "fixtures", "asker.ts");

describe.skipIf(!zotIsBuilt)("the lines of zot rpc", () => {
  test("ready comes first, with true numbers, before extensions have started", async () => {
    await using zot = await RpcProcess.start({ args: ["--ext", ASKER] });
    await zot.until(({ type }) => type === "available_commands_update");
    expect(zot.frames[0]).toEqual({
      type: "ready",
      protocolVersion: 1,
      supportedProtocolVersions: [1, 2],
      maxFrameBytes: 1024 * 1024,
      maxReassembledFrameBytes: 64 * 1024 * 1024,
      supportsBashExcludeFromContext: true,
    });
    const types = zot.frames.map(({ type }) => type);
    expect(types.indexOf("ext_notify")).toBeGreaterThan(0);
    expect(types.indexOf("available_commands_update")).toBeGreaterThan(types.indexOf("ext_notify"));
  });

  test("packed, split and blank lines, CRLF and a last line without its end are all read", async () => {
    await using zot = await RpcProcess.start();
    zot.send('\r\n  {"id":"a","type":"get_last_assistant_text"}\r\n\n{"id":"b","type":"get_last_as');
    zot.send('sistant_text"}\n{"id":"ü","type":"abort"}\n{"id":"c","type":"get_last_assistant_text"}');
    expect(await zot.close()).toBe(0);
    expect(zot.ofType("response").map(({ id }) => id)).toEqual(["a", "b", "ü", "c"]);
  });

  test("a character that is split between two writes stays one", async () => {
    await using zot = await RpcProcess.start();
    const bytes = new TextEncoder().encode(`${JSON.stringify({ id: "→", type: "abort" })}\n`);
    const cut = bytes.indexOf(0xe2) + 1;
    await zot.sendBytes(bytes.slice(0, cut));
    await zot.sendBytes(bytes.slice(cut));
    expect(await zot.response("→")).toMatchObject({ success: true });
  });

  test("lines that are no command are answered, and the next one works", async () => {
    await using zot = await RpcProcess.start();
    for (const line of ['{"id":', "[]", "null", "7", '"x"', "{}", '{"type":5,"id":"n"}', "\u0000"])
      zot.send(`${line}\n`);
    await zot.ask({ id: "after", type: "abort" });
    const faults = zot.ofType("response").slice(0, 8);
    expect(faults).toHaveLength(8);
    for (const fault of faults) expect(fault).toMatchObject({ command: "parse", success: false });
    expect(faults[6]).toMatchObject({ id: "n" });
  });

  test("ids come back as they were sent, whatever they are", async () => {
    await using zot = await RpcProcess.start();
    const ids = ["", 5, null, "🎉", "a\nb", { nested: true }, "x".repeat(100_000)];
    for (const id of ids) zot.send({ id, type: "no_such_command" });
    zot.send({ type: "no_such_command" });
    expect(await zot.close()).toBe(0);
    const answers = zot.ofType("response");
    expect(answers.slice(0, -1).map(({ id }) => id)).toEqual(ids);
    expect("id" in (answers.at(-1) ?? {})).toBe(false);
    for (const answer of answers) {
      expect(answer).toMatchObject({ success: false, error: "Unknown command: no_such_command" });
    }
  });

  test("late, unknown and repeated answers to our requests are ignored without a word", async () => {
    await using zot = await RpcProcess.start();
    zot.send({ type: "extension_ui_response", id: "nobody", value: "x" });
    zot.send({ type: "host_tool_result", id: "nobody", result: { content: [] } });
    zot.send({ type: "host_tool_update", id: "nobody", partialResult: { content: [] } });
    zot.send({ type: "host_uri_result", id: "nobody" });
    await zot.ask({ id: "after", type: "abort" });
    expect(zot.ofType("response")).toHaveLength(1);
  });

  test("separators that other languages take for line ends are escaped", async () => {
    await using zot = await RpcProcess.start();
    const text = "a\u2028b\u2029c\u0085d";
    zot.send({ id: "1", type: "prompt", message: `say ${text}` });
    await zot.result("1");
    const { data } = await zot.ask({ id: "2", type: "get_last_assistant_text" });
    expect(data).toEqual({ text });
    expect(await zot.close()).toBe(0);
    expect(zot.rawText).not.toMatch(/[\u0085\u2028\u2029]/);
  });

  test("a thousand commands in one write are answered in order", async () => {
    await using zot = await RpcProcess.start();
    const ids = Array.from({ length: 1_000 }, (_, index) => `n${index}`);
    zot.send(ids.map((id) => `${JSON.stringify({ id, type: "get_last_assistant_text" })}\n`).join(""));
    expect(await zot.close()).toBe(0);
    expect(zot.ofType("response").map(({ id }) => id)).toEqual(ids);
  });

  test("wrong use says so on stderr and leaves stdout empty", async () => {
    for (const [args, status, text] of [
      [["@file"], 1, "@file arguments are not supported in RPC mode"],
      [["some", "prompt"], 2, "takes no prompt"],
      [["--model", "nobody/nothing"], 2, "nobody"],
    ] as const) {
      await using zot = await RpcProcess.start({ args });
      expect(await zot.close()).toBe(status);
      expect(zot.frames).toEqual([]);
      expect(zot.stderr).toContain(text);
    }
  });

  test("--mode rpc is the same", async () => {
    await using zot = await RpcProcess.start({ command: ["--mode", "rpc"] });
    expect(await zot.ask({ id: "1", type: "get_state" })).toMatchObject({ success: true });
    expect(await zot.close()).toBe(0);
  });
});
