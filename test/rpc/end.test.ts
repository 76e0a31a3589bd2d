import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { RpcProcess } from "./support/rpc-process.ts";
import { scriptedModel } from "./support/scripted-model.ts";

const ASKER = join(import.meta.dir, "fixtures", "asker.ts");
const ECHO = {
  name: "echo_host",
  description: "echoes",
  parameters: { type: "object", properties: {} },
  loadMode: "essential",
};

describe.skipIf(!zotIsBuilt)("the end of zot rpc", () => {
  test("stdin that closes right behind a prompt lets the whole turn run", async () => {
    await using zot = await RpcProcess.start();
    zot.send({ id: "1", type: "prompt", message: 'call bash {"command":"sleep 0.2; echo hi"}\nsay bye' });
    zot.send('{"id":"2","type":"get_state"}');
    expect(await zot.close()).toBe(0);
    expect(zot.ofType("response").map(({ id }) => id)).toEqual(["1", "2"]);
    expect(zot.ofType("prompt_result")).toEqual([
      { type: "prompt_result", id: "1", agentInvoked: true, status: "completed", sessionSettled: true },
    ]);
    expect(zot.frames.at(-1)).toEqual({ type: "session_settled" });
  });

  test("a command of the client that is still running is finished and answered", async () => {
    await using zot = await RpcProcess.start();
    zot.send({ id: "b", type: "bash", command: "sleep 0.2; echo done" });
    expect(await zot.close()).toBe(0);
    expect(zot.frames.at(-1)).toMatchObject({ id: "b", success: true, data: { output: "done\n", exitCode: 0 } });
  });

  test("an open dialog is cancelled, and its prompt has its result", async () => {
    await using zot = await RpcProcess.start({ args: ["--ext", ASKER] });
    zot.send({ id: "c", type: "prompt", message: "/ui-confirm" });
    await zot.until(({ type, method }) => type === "extension_ui_request" && method === "confirm");
    expect(await zot.close()).toBe(0);
    expect(zot.frames.some(({ message }) => message === 'RESULT {"confirm":false}')).toBe(true);
    expect(await zot.result("c")).toMatchObject({ agentInvoked: false, status: "completed" });
  });

  test("an open host tool call fails with a text that says why", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    await zot.ask({ id: "ht", type: "set_host_tools", tools: [ECHO] });
    zot.send({ id: "p", type: "prompt", message: "TOOL:echo_host:{}END" });
    await zot.until(({ type }) => type === "host_tool_call");
    expect(await zot.close()).toBe(0);
    expect(zot.ofType("tool_execution_end")).toMatchObject([
      {
        isError: true,
        result: { content: [{ text: "RPC client disconnected before host tool execution completed" }] },
      },
    ]);
    expect(await zot.result("p")).toMatchObject({ status: "completed" });
  });

  test("a prompt that waits behind an abort has a result, too, before we end", async () => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server });
    zot.send({ id: "h", type: "prompt", message: "HANG" });
    await zot.until(({ type }) => type === "message_update");
    await zot.ask({ id: "q", type: "prompt", message: "later", streamingBehavior: "followUp" });
    await zot.ask({ id: "a", type: "abort" });
    expect(await zot.result("h")).toMatchObject({ status: "aborted", sessionSettled: false });
    expect(await zot.close()).toBe(0);
    expect(zot.ofType("prompt_result").map(({ id, status }) => [id, status])).toEqual([
      ["h", "aborted"],
      ["q", "aborted"],
    ]);
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
    ["SIGHUP", 129],
  ] as const)("%s ends a running turn and the process with status %i", async (signal, status) => {
    await using server = await scriptedModel();
    await using zot = await RpcProcess.start({ server, args: ["--ext", ASKER] });
    zot.send({ id: "h", type: "prompt", message: "HANG" });
    await zot.until(({ type }) => type === "message_update");
    zot.kill(signal);
    expect(await zot.exited).toBe(status);
    expect(zot.badLines).toEqual([]);
  });

  test("whatever extensions print, stdout carries frames alone", async () => {
    await using zot = await RpcProcess.start({ args: ["--ext", join(import.meta.dir, "fixtures", "chatterbox.ts")] });
    zot.send({ id: "1", type: "prompt", message: "say hi" });
    await zot.result("1");
    expect(await zot.close()).toBe(0);
    expect(zot.badLines).toEqual([]);
  });
});
