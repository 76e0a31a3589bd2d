import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { zotIsBuilt } from "../support/zot.ts";
import { type Frame, RpcProcess } from "./support/rpc-process.ts";

const ASKER = join(import.meta.dir, "fixtures", "asker.ts");
const withAsker = { args: ["--ext", ASKER] };

/** The next frame of `extension_ui_request` with this method, from the first that was not looked at yet. */
async function request(zot: RpcProcess, method: string, from = 0): Promise<Frame> {
  return await zot.until((frame) => frame.type === "extension_ui_request" && frame["method"] === method, method, from);
}

/** What the extension says that it was answered. */
async function told(zot: RpcProcess): Promise<unknown> {
  const { message } = await zot.until(({ message }) => String(message).startsWith("RESULT "), "a result");
  return JSON.parse(String(message).slice("RESULT ".length));
}

describe.skipIf(!zotIsBuilt)("extensions over rpc", () => {
  test("what they show is a ui request, and an event of the line protocol besides", async () => {
    await using zot = await RpcProcess.start(withAsker);
    zot.send({ id: "1", type: "prompt", message: "/chrome" });
    await zot.result("1");
    await zot.until(({ type }) => type === "ext_widget_clear");
    const own = zot.frames.filter(({ type, extension }) => type.startsWith("ext_") && extension === "asker");
    expect(own).toEqual([
      { type: "ext_notify", extension: "asker", level: "info", message: "started" },
      { type: "ext_notify", extension: "asker", level: "warn", message: "a note" },
      { type: "ext_status", extension: "asker", key: "s", level: "info", text: "busy" },
      { type: "ext_widget", extension: "asker", id: "w", position: "above_input", title: "Work", lines: ["1/2"] },
      { type: "ext_alert", extension: "asker", kind: "bell", reason: "done" },
      { type: "ext_clear_notes", extension: "asker" },
      { type: "ext_status", extension: "asker", key: "s", level: "info", text: "" },
      { type: "ext_widget_clear", extension: "asker", id: "w" },
    ]);
    const requests = zot.ofType("extension_ui_request").map(({ id: _id, type: _type, ...fields }) => fields);
    expect(requests).toEqual([
      { method: "notify", message: "started", notifyType: "info" },
      { method: "notify", message: "a note", notifyType: "warning" },
      { method: "setStatus", statusKey: "asker/s", statusText: "busy" },
      { method: "setWidget", widgetKey: "asker/w", widgetLines: ["Work", "1/2"], widgetPlacement: "aboveEditor" },
      { method: "setStatus", statusKey: "asker/s" },
      { method: "setWidget", widgetKey: "asker/w" },
    ]);
  });

  test("a client that filters events does not get those of the line protocol", async () => {
    await using zot = await RpcProcess.start(withAsker);
    await zot.ask({ id: "f", type: "set_event_filter", events: ["agent_end"] });
    const before = zot.frames.length;
    zot.send({ id: "1", type: "prompt", message: "/chrome" });
    zot.send({ id: "2", type: "prompt", message: "say hi" });
    await zot.until(({ type }) => type === "session_settled");
    const types = new Set(zot.frames.slice(before).map(({ type }) => type));
    expect([...types].toSorted()).toEqual([
      "agent_end",
      "extension_ui_request",
      "prompt_result",
      "response",
      "session_settled",
    ]);
  });

  test("one that dies takes its things along, and the client is told why", async () => {
    await using zot = await RpcProcess.start(withAsker);
    zot.send({ id: "1", type: "prompt", message: "/die" });
    expect(await zot.until(({ type, event }) => type === "extension_error" && event === "exit")).toMatchObject({
      error: "exited (exit status 3)",
    });
    await zot.until(({ type }) => type === "ext_chrome_clear");
    // Its commands are gone from the list.
    const update = await zot.until(
      ({ type, commands }) => type === "available_commands_update" && !JSON.stringify(commands).includes("ui-select"),
    );
    expect(update).toBeDefined();
    expect(await zot.result("1")).toMatchObject({ agentInvoked: false, status: "completed" });
  });

  test("one that does not load is an extension_error", async () => {
    await using zot = await RpcProcess.start({ args: ["--ext", join(import.meta.dir, "fixtures", "nobody")] });
    expect(await zot.until(({ type }) => type === "extension_error")).toMatchObject({ event: "load" });
  });

  test("commands show, type, submit and fail as the client can see", async () => {
    await using zot = await RpcProcess.start(withAsker);
    zot.send({ id: "show", type: "prompt", message: "/show" });
    await zot.result("show");
    expect(zot.ofType("ext_display")).toEqual([{ type: "ext_display", extension: "asker", text: "shown" }]);
    zot.send({ id: "type", type: "prompt", message: "/type" });
    expect(await request(zot, "set_editor_text")).toMatchObject({ text: "typed" });
    zot.send({ id: "panel", type: "prompt", message: "/panel" });
    expect(await zot.until(({ type }) => type === "extension_error")).toMatchObject({
      extensionPath: "command:panel",
      event: "command",
    });
    zot.send({ id: "submit", type: "prompt", message: "/submit" });
    await zot.until(({ type }) => type === "session_settled");
    const said = zot.ofType("message_end").map(({ message }) => JSON.stringify(message));
    expect(said.some((text) => text.includes("said by the extension"))).toBe(true);
    // What an extension says is nobody's prompt.
    expect(zot.ofType("prompt_result").map(({ id }) => id)).toEqual(["show", "type", "panel", "submit"]);
  });

  test("ask comes as one dialog to a client that draws it", async () => {
    await using zot = await RpcProcess.start(withAsker);
    expect(await zot.ask({ id: "d", type: "set_ask_dialog", enabled: true })).toMatchObject({
      data: { enabled: true },
    });
    zot.send({ id: "1", type: "prompt", message: "/ui-ask" });
    const { id, questions } = await request(zot, "ask");
    expect(questions).toMatchObject([
      {
        id: "db",
        options: [{ label: "Postgres" }, { label: "SQLite", description: "Embedded" }],
        multi: false,
        recommended: 1,
      },
      { id: "feat", multi: true },
    ]);
    const answers = [
      { id: "db", selectedOptions: ["SQLite"] },
      { id: "feat", selectedOptions: [], customInput: "Search" },
    ];
    zot.send({ type: "extension_ui_response", id, answers });
    expect(await told(zot)).toMatchObject({ answers });
  });

  test("answers that do not fit the questions count as none", async () => {
    await using zot = await RpcProcess.start(withAsker);
    await zot.ask({ id: "d", type: "set_ask_dialog", enabled: true });
    zot.send({ id: "1", type: "prompt", message: "/ui-ask" });
    const { id } = await request(zot, "ask");
    zot.send({ type: "extension_ui_response", id, answers: [{ id: "db", selectedOptions: ["Oracle"] }] });
    expect(await told(zot)).toMatchObject({ cancelled: true });
  });

  test("to one that does not, ask comes question by question", async () => {
    await using zot = await RpcProcess.start(withAsker);
    zot.send({ id: "1", type: "prompt", message: "/ui-ask" });
    const answer = async (method: string, value: string, expected: object): Promise<void> => {
      const from = zot.frames.length;
      const open = await zot.until(
        (frame) =>
          frame.type === "extension_ui_request" && frame["method"] === method && !seen.has(String(frame["id"])),
        method,
      );
      seen.add(String(open["id"]));
      expect(open).toMatchObject(expected);
      zot.send({ type: "extension_ui_response", id: open["id"], value });
      expect(from).toBeLessThanOrEqual(zot.frames.length);
    };
    const seen = new Set<string>();
    await answer("select", "SQLite (Recommended)", {
      title: "Which database? (1/2)",
      options: ["Postgres", "SQLite (Recommended)", "Other (type your own)"],
      optionDetails: [{}, { description: "Embedded" }, {}],
    });
    await answer("select", "Auth", { title: "Which features? (2/2)" });
    await answer("select", "Other (type your own)", { title: "(1 selected) Which features? (2/2)" });
    await answer("editor", " typed text ", { promptStyle: true });
    expect(await told(zot)).toMatchObject({
      answers: [
        { id: "db", selectedOptions: ["SQLite"] },
        { id: "feat", selectedOptions: ["Auth"], customInput: "typed text" },
      ],
    });
  });

  test("a secret input says that it is one", async () => {
    await using zot = await RpcProcess.start(withAsker);
    zot.send({ id: "1", type: "prompt", message: "/ui-secret" });
    const { id, secret } = await request(zot, "input");
    expect(secret).toBe(true);
    zot.send({ type: "extension_ui_response", id, value: "s3cret" });
    expect(await told(zot)).toEqual({ secret: "s3cret" });
  });

  test("the window's title is told only to those who ask for it", async () => {
    await using zot = await RpcProcess.start({ ...withAsker, env: { PI_RPC_EMIT_TITLE: "1" } });
    zot.send({ id: "1", type: "prompt", message: "/ui-fire" });
    expect(await request(zot, "setTitle")).toMatchObject({ title: "a title" });
  });

  test("an abort closes the dialog of the command that runs, and its prompt is aborted", async () => {
    await using zot = await RpcProcess.start(withAsker);
    zot.send({ id: "1", type: "prompt", message: "/ui-input" });
    const { id } = await request(zot, "input");
    zot.send({ id: "a", type: "abort" });
    expect(await request(zot, "cancel")).toMatchObject({ targetId: id });
    expect(await zot.result("1")).toMatchObject({ agentInvoked: false, status: "aborted", sessionSettled: true });
    expect(zot.ofType("session_settled")).toEqual([]);
  });

  test("with --no-ui nothing is shown and every question has no for an answer", async () => {
    await using zot = await RpcProcess.start({ args: ["--ext", ASKER, "--no-ui"] });
    for (const command of ["/ui-confirm", "/ui-select", "/ui-fire", "/chrome"]) {
      zot.send({ id: command, type: "prompt", message: command });
      expect(await zot.result(command)).toMatchObject({ agentInvoked: false, status: "completed" });
    }
    expect(zot.frames.filter(({ type }) => type === "extension_ui_request" || type.startsWith("ext_"))).toEqual([]);
  });

  test("panels go to a client that asks for them, and its keys come back", async () => {
    await using zot = await RpcProcess.start(withAsker);
    expect(await zot.ask({ id: "k0", type: "panel_key", key: "up" })).toMatchObject({ success: false });
    await zot.ask({ id: "on", type: "set_panels", enabled: true });
    zot.send({ id: "1", type: "prompt", message: "/panel" });
    expect(await zot.until(({ type }) => type === "ext_panel")).toEqual({
      type: "ext_panel",
      extension: "asker",
      event: "open",
      panel: { id: "p", title: "Panel", lines: ["one"], footer: "" },
    });
    await zot.ask({ id: "k1", type: "panel_key", key: "rune", text: "ä" });
    expect(await zot.until(({ message }) => String(message).includes("panel_key"))).toMatchObject({
      message: expect.stringContaining('"text":"ä"'),
    });
    await zot.ask({ id: "k2", type: "panel_close" });
    await zot.until(({ type, event }) => type === "ext_panel" && event === "close");
    await zot.until(({ message }) => String(message).includes("panel_close"));
    expect(await zot.ask({ id: "k3", type: "panel_key", key: "up" })).toMatchObject({ error: "no panel is open" });
  });
});
