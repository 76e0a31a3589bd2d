import { describe, expect, test } from "bun:test";
import { extension } from "../../src/sdk/api.ts";
import { Dialogs } from "../../src/sdk/dialogs.ts";
import { readHostInfo } from "../../src/sdk/host-info.ts";
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

  test("several questions go out as one dialog, and the answers are found by their ids", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet(able);
    ext.send({ type: "tool_call", id: "a", name: "asks_more", args: {} });
    const asked = await ext.next({ method: "ask" });
    expect(asked["questions"]).toEqual([
      {
        id: "where",
        question: "Where?",
        options: [{ label: "here" }, { label: "there", description: "far" }],
        recommended: 1,
      },
      { id: "__proto__", question: "What else?", header: "Else", multi: true, options: [] },
    ]);
    const answers = [
      { id: "where", selectedOptions: ["there"] },
      { id: "__proto__", selectedOptions: [], customInput: "more" },
    ];
    ext.send({ type: "extension_ui_response", id: String(asked["id"]), answers });
    const [block] = [(await ext.next({ id: "a" }))["content"]].flat();
    expect(JSON.parse(Object(block).text)).toEqual(
      JSON.parse('{"where":{"selectedOptions":["there"]},"__proto__":{"selectedOptions":[],"customInput":"more"}}'),
    );
  });

  test.each([{ cancelled: true }, { answers: [{ id: "where", selectedOptions: ["here"] }] }, { value: "x" }])(
    "%j answers none of them",
    async (answer) => {
      await using ext = runtime.start("everything.mjs");
      await ext.greet(able);
      ext.send({ type: "tool_call", id: "a", name: "asks_more", args: {} });
      const { id } = await ext.next({ method: "ask" });
      ext.send({ type: "extension_ui_response", id: String(id), ...answer });
      expect(await ext.next({ id: "a" })).toMatchObject({ content: [{ type: "text", text: '"cancelled"' }] });
    },
  );

  test("a page, a title and a draft are told and not waited for", async () => {
    await using ext = runtime.start("everything.mjs");
    await ext.greet(able);
    expect(await ext.tool("shows", {})).toMatchObject({ content: [{ type: "text", text: "shown" }] });
    expect(await ext.next({ method: "open_url" })).toMatchObject({
      url: "https://example.invalid/a%20b",
      launchUrl: "http://localhost:1/",
      instructions: "Sign in",
    });
    await ext.next({ method: "setTitle", title: "shows" });
    await ext.next({ method: "set_editor_text", text: "draft" });
    await using plain = runtime.start("everything.mjs");
    await plain.greet();
    expect(JSON.stringify(await plain.tool("shows", {}))).toContain("this host shows no dialogs (open_url)");
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

test("the names of the answers follow from the ids of the questions, and only web pages can be opened", () => {
  const { ui } = extension({ name: "x" });
  // Never called: the compiler is what is asked.
  const typed = async (): Promise<string | undefined> => {
    const answers = await ui.ask([{ id: "colour", question: "Which?", options: ["red"] }]);
    // @ts-expect-error
    answers?.size;
    return answers?.colour.selectedOptions[0];
  };
  expect(typed).toBeFunction();
  for (const url of ["file:///etc/passwd", "zot", ""]) expect(() => ui.openUrl(url)).toThrow("is no http(s) page");
  const launchUrl = "javascript:alert(1)";
  expect(() => ui.openUrl("https://example.invalid", { launchUrl })).toThrow("openUrl: javascript:alert(1) is no");
});

test("a limit that no timer can hold, such as Infinity, is none", async () => {
  const sent: unknown[] = [];
  const dialogs = new Dialogs(
    (frame) => sent.push(frame),
    () => readHostInfo({ features: ["ui"] }),
  );
  const answers = [Number.POSITIVE_INFINITY, 2 ** 31].map((timeoutMs) => dialogs.confirm("Sure?", "", { timeoutMs }));
  // Timers that were set before this one with a delay they cannot hold have gone off by now.
  await Bun.sleep(20);
  for (const id of ["u1", "u2"]) dialogs.answer({ type: "extension_ui_response", id, confirmed: true });
  expect(await Promise.all(answers)).toEqual([true, true]);
  expect(sent).toHaveLength(2);
});
