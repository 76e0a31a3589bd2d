import { describe, expect, test } from "bun:test";
import { sdkRuntimes } from "./runtimes.ts";

const able = { features: ["ui"] };

describe.each(sdkRuntimes)("dialogs under $name", (runtime) => {
  test("questions and answers meet by id, and time runs out on the extension's side", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet(able);
    ext.send({ type: "tool_call", id: "a", name: "asks", args: {} });
    const select = await ext.next({ method: "select" });
    expect(select).toMatchObject({
      title: "Which?",
      options: ["a", "b"],
      optionDetails: [{}, { description: "second" }],
    });
    ext.send({ type: "extension_ui_response", id: "unknown", value: "x" });
    ext.send({ type: "extension_ui_response", id: String(select["id"]), value: "b" });
    const confirm = await ext.next({ method: "confirm" });
    expect(confirm).toMatchObject({ type: "extension_ui_request", title: "Sure?", message: "Really" });
    ext.send({ type: "extension_ui_response", id: String(confirm["id"]), confirmed: true });
    const input = await ext.next({ method: "input" });
    expect(input).toMatchObject({ placeholder: "n", secret: true });
    ext.send({ type: "extension_ui_response", id: String(input["id"]), cancelled: true });
    const editor = await ext.next({ method: "editor" });
    expect(editor).toMatchObject({ prefill: "p", timeout: 20 });
    await ext.next({ method: "cancel", targetId: String(editor["id"]) });
    const result = await ext.next({ id: "a" });
    expect(result["content"]).toEqual([{ type: "text", text: '["b",true,null,"gave up"]' }]);
  });

  test("a cancelled call takes its question back", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet(able);
    ext.send({ type: "tool_call", id: "a", name: "asks", args: {} });
    const { id } = await ext.next({ method: "select" });
    ext.send({ type: "tool_cancel", id: "a" });
    await ext.next({ method: "cancel", targetId: String(id) });
  });

  test("a host without dialogs makes the question fail at once", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet();
    const result = await ext.tool("asks", {});
    expect(result).toMatchObject({ is_error: true });
    expect(JSON.stringify(result["content"])).toContain("this host shows no dialogs (select)");
  });
});
