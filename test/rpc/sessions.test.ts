import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "../support/temp-dir.ts";
import { zotIsBuilt } from "../support/zot.ts";
import { RpcProcess } from "./support/rpc-process.ts";
import { isRecord } from "./support/shape.ts";

/** A member of the `data` of a response, as text. */
async function ask(zot: RpcProcess, id: string, fields: object, member: string): Promise<string> {
  const { data } = await zot.ask({ id, ...fields });
  return String(isRecord(data) ? data[member] : undefined);
}

async function say(zot: RpcProcess, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    zot.send({ id: text, type: "prompt", message: `say ${text}` });
    await zot.result(text);
  }
}

async function texts(zot: RpcProcess, id: string): Promise<string[]> {
  const { data } = await zot.ask({ id, type: "get_branch_messages" });
  const messages = isRecord(data) && Array.isArray(data["messages"]) ? data["messages"] : [];
  return messages.map((message: unknown) => String(isRecord(message) ? message["text"] : ""));
}

describe.skipIf(!zotIsBuilt)("sessions over rpc", () => {
  test("a session can be left, found again, and goes on", async () => {
    await using zot = await RpcProcess.start();
    await say(zot, "one");
    const file = await ask(zot, "s1", { type: "get_state" }, "sessionFile");
    const id = await ask(zot, "s2", { type: "get_state" }, "sessionId");
    await zot.ask({ id: "n", type: "new_session" });
    expect(await ask(zot, "s3", { type: "get_state" }, "sessionId")).not.toBe(id);
    expect(await texts(zot, "t1")).toEqual([]);
    await say(zot, "two");
    await zot.ask({ id: "sw", type: "switch_session", sessionPath: file });
    expect(await ask(zot, "s4", { type: "get_state" }, "sessionId")).toBe(id);
    expect(await texts(zot, "t2")).toEqual(["say one"]);
    await say(zot, "three");
    expect(await texts(zot, "t3")).toEqual(["say one", "say three"]);
  });

  test("a branch begins before the message that it is made from, and leaves the session as it was", async () => {
    await using zot = await RpcProcess.start();
    await say(zot, "one", "two");
    const file = await ask(zot, "s", { type: "get_state" }, "sessionFile");
    const { data } = await zot.ask({ id: "bm", type: "get_branch_messages" });
    const messages = isRecord(data) && Array.isArray(data["messages"]) ? data["messages"] : [];
    const second: unknown = messages[1];
    const entryId = isRecord(second) ? second["entryId"] : undefined;
    expect(await zot.ask({ id: "b", type: "branch", entryId })).toMatchObject({
      data: { text: "say two", cancelled: false },
    });
    expect(await texts(zot, "t1")).toEqual(["say one"]);
    await zot.ask({ id: "sw", type: "switch_session", sessionPath: file });
    expect(await texts(zot, "t2")).toEqual(["say one", "say two"]);
    await zot.ask({ id: "f", type: "fork" });
    expect(await texts(zot, "t3")).toEqual(["say one", "say two"]);
  });

  test("the newest session of a folder is opened, or a fresh one", async () => {
    await using folder = await tempDir("zot-sessions-");
    await using zot = await RpcProcess.start();
    const open = { type: "open_session", sessionDir: folder.path };
    expect(await zot.ask({ id: "o1", ...open })).toMatchObject({ data: { cancelled: false, resumed: false } });
    await say(zot, "here");
    await zot.ask({ id: "n", type: "new_session" });
    expect(await zot.ask({ id: "o2", ...open })).toMatchObject({ data: { resumed: true } });
    expect(await texts(zot, "t")).toEqual(["say here"]);
    expect((await readdir(folder.path)).filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
  });

  test("with --no-session nothing is written, and no session can be opened", async () => {
    await using zot = await RpcProcess.start({ args: ["--no-session"] });
    await say(zot, "one");
    expect(await ask(zot, "s", { type: "get_state" }, "sessionFile")).toBe("undefined");
    expect(await zot.ask({ id: "o", type: "open_session", sessionDir: zot.cwd })).toMatchObject({
      error: "open_session requires session persistence (omit --no-session)",
    });
    await zot.ask({ id: "n", type: "new_session" });
    expect(await texts(zot, "t")).toEqual([]);
    await zot.close();
    expect(await readdir(join(zot.home, "zot")).catch(() => [])).not.toContain("sessions");
  });

  test("a name is kept, and empty ones are refused", async () => {
    await using zot = await RpcProcess.start();
    await say(zot, "one");
    await zot.ask({ id: "n", type: "set_session_name", name: "  my session " });
    expect(await ask(zot, "s", { type: "get_state" }, "sessionName")).toBe("my session");
    expect(await zot.ask({ id: "e", type: "set_session_name", name: " " })).toMatchObject({
      error: "Session name cannot be empty",
    });
    await using again = await RpcProcess.start({ home: zot.home, args: ["--continue"] });
    await zot.close();
    expect(await ask(again, "s", { type: "get_state" }, "sessionName")).toBe("my session");
  });

  test("pages hold together only while nothing is said", async () => {
    await using zot = await RpcProcess.start();
    await say(zot, "one", "two");
    const page = { type: "get_messages_page", limit: 3 };
    const cursor = await ask(zot, "p1", page, "nextCursor");
    expect(await zot.ask({ id: "p2", ...page, cursor })).toMatchObject({ data: { totalMessages: 4 } });
    await say(zot, "three");
    expect(await zot.ask({ id: "p3", ...page, cursor })).toMatchObject({ code: "stale_cursor" });
    expect(await zot.ask({ id: "p4", ...page, cursor: "junk" })).toMatchObject({ code: "stale_cursor" });
    expect(await zot.ask({ id: "p5", ...page, limit: 257 })).toMatchObject({
      error: "RPC message page limit must be between 1 and 256",
    });
  });

  test("a command of the client is told to the model, unless it is excluded", async () => {
    await using zot = await RpcProcess.start();
    await zot.ask({ id: "b1", type: "bash", command: "echo told; exit 3" });
    await zot.ask({ id: "b2", type: "bash", command: "echo secret", excludeFromContext: true });
    const { data } = await zot.ask({ id: "gm", type: "get_messages" });
    const messages = isRecord(data) && Array.isArray(data["messages"]) ? data["messages"] : [];
    expect(messages).toMatchObject([
      { role: "bashExecution", command: "echo told; exit 3", output: "told\n", exitCode: 3, cancelled: false },
      { role: "bashExecution", command: "echo secret", excludeFromContext: true },
    ]);
    // What is on disk is what the model gets.
    await say(zot, "hi");
    const file = await Bun.file(await ask(zot, "s", { type: "get_state" }, "sessionFile")).text();
    expect(file).toContain("echo told");
    expect(file).not.toContain("secret");
  });

  test("a side question leaves no trace in the conversation", async () => {
    await using zot = await RpcProcess.start();
    const { data } = await zot.ask({ id: "b", type: "btw", question: "say aside" });
    const record = isRecord(data) && isRecord(data["record"]) ? data["record"] : {};
    expect(record).toMatchObject({ question: "say aside", status: "running", answer: "" });
    const done = await zot.until(({ type, record: told }) => {
      return type === "btw_record" && isRecord(told) && told["status"] === "complete";
    });
    const deltas = zot.ofType("btw_delta").map(({ delta }) => String(delta));
    expect(isRecord(done["record"]) ? done["record"]["answer"] : "").toBe(deltas.join(""));
    const types = zot.frames.map(({ type, id }) => (type === "response" ? `response ${String(id)}` : type));
    expect(types.indexOf("btw_record")).toBeLessThan(types.indexOf("response b"));
    expect(types.indexOf("response b")).toBeLessThan(types.indexOf("btw_delta"));
    expect(await zot.ask({ id: "gm", type: "get_messages" })).toMatchObject({ data: { messages: [] } });
    expect(await zot.ask({ id: "u", type: "btw", question: "x", recordId: "nope" })).toMatchObject({
      error: "Unknown /btw topic: nope",
    });
    expect(await zot.ask({ id: "h", type: "get_btw_history" })).toMatchObject({
      data: { records: [{ id: record["id"], status: "complete" }] },
    });
  });

  test("a key can be typed in, hidden, and is saved only for its owner to read", async () => {
    await using zot = await RpcProcess.start();
    expect(await zot.ask({ id: "x", type: "login", providerId: "zzz" })).toMatchObject({
      error: "Unknown OAuth provider: zzz",
    });
    zot.send({ id: "l", type: "login", providerId: "groq" });
    const request = await zot.until(({ method }) => method === "input");
    expect(request).toMatchObject({ secret: true, timeout: 600_000 });
    zot.send({ type: "extension_ui_response", id: request["id"], cancelled: true });
    expect(await zot.response("l")).toMatchObject({ success: false, error: "Login cancelled" });
  });
});
