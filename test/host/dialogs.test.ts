import { describe, expect, test } from "bun:test";
import type { DialogAnswer } from "../../src/host/dialog.ts";
import { HostWorld } from "../support/host.ts";
import { RecordingSurface } from "../support/recording-surface.ts";

const ui = (id: string, method: string, fields: object = {}) => ({
  type: "extension_ui_request",
  id,
  method,
  ...fields,
});
const confirm = (id: string, fields: object = {}) => ui(id, "confirm", { title: "T", message: "M", ...fields });
const response = (id: string) => ({ type: "extension_ui_response", id });

const questions = [
  { id: "q1", question: "Which?", options: [{ label: "one" }, { label: "two", description: "D" }], recommended: 1 },
  {
    id: "q2",
    question: "Which ones?",
    header: "H",
    options: [{ label: "x", preview: "P" }, { label: "y" }],
    multi: true,
  },
];

describe("each question is shown as its kind and answered in its kind", () => {
  const cases: Record<string, { frame: object; question: object; answer: DialogAnswer; wire: object }> = {
    select: {
      frame: { title: "T", options: ["a", "b"], optionDetails: [{}, { description: " about b " }] },
      question: {
        kind: "select",
        title: "T",
        options: [
          { label: "a", description: "" },
          { label: "b", description: "about b" },
        ],
      },
      answer: { kind: "value", value: "not an option" },
      wire: { value: "not an option" },
    },
    confirm: {
      frame: { title: "T", message: "M" },
      question: { kind: "confirm", title: "T", message: "M" },
      answer: { kind: "confirmed", confirmed: false },
      wire: { confirmed: false },
    },
    input: {
      frame: { title: "T", placeholder: "P", secret: true },
      question: { kind: "input", title: "T", placeholder: "P", masked: true },
      answer: { kind: "value", value: "" },
      wire: { value: "" },
    },
    editor: {
      frame: { title: "T", prefill: "one\ntwo" },
      question: { kind: "editor", title: "T", prefill: "one\ntwo", promptStyle: false },
      answer: { kind: "value", value: "three\nfour" },
      wire: { value: "three\nfour" },
    },
    ask: {
      frame: { questions },
      question: {
        kind: "ask",
        questions: [
          {
            id: "q1",
            question: "Which?",
            header: "",
            options: [
              { label: "one", description: "", preview: "" },
              { label: "two", description: "D", preview: "" },
            ],
            multi: false,
            recommended: 1,
          },
          {
            id: "q2",
            question: "Which ones?",
            header: "H",
            options: [
              { label: "x", description: "", preview: "P" },
              { label: "y", description: "", preview: "" },
            ],
            multi: true,
          },
        ],
      },
      answer: {
        kind: "answers",
        answers: [
          { id: "q1", selectedOptions: [], customInput: " my own " },
          { id: "q2", selectedOptions: ["y", "x"], customInput: " " },
        ],
      },
      wire: {
        answers: [
          { id: "q1", selectedOptions: [], customInput: "my own" },
          { id: "q2", selectedOptions: ["y", "x"] },
        ],
      },
    },
  };

  for (const [method, { frame, question, answer, wire }] of Object.entries(cases)) {
    test(method, async () => {
      await using world = await HostWorld.of({ a: {} });
      await world.emit("a", ui("u1", method, frame));
      const [asked] = world.surface.asked;
      expect<unknown>(asked?.dialog).toEqual({ extension: "a", generation: 1, id: "d1", question });
      asked?.answer(answer);
      expect(await world.frame("a", response("u1"))).toEqual({ ...response("u1"), ...wire });
      expect(asked?.signal.aborted).toBe(false);
      expect(world.host.dialogs.open).toEqual([]);
    });
  }
});

test("several dialogs are open at once and are answered in any order", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", confirm("same"), confirm("other"));
  await world.emit("b", confirm("same"));
  expect(new Set(world.host.dialogs.open.map(({ id }) => id)).size).toBe(3);
  world.surface.asked[2]?.answer({ kind: "confirmed", confirmed: true });
  world.surface.asked[0]?.answer({ kind: "cancelled" });
  expect(await world.frame("b", response("same"))).toMatchObject({ confirmed: true });
  expect(await world.frame("a", response("same"))).toMatchObject({ cancelled: true });
  expect(world.host.dialogs.open.map(({ extension }) => extension)).toEqual(["a"]);
});

test("the first answer counts, and one that comes after the end is nobody's", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", confirm("u1"), ui("u2", "cancel", { targetId: "u1" }));
  const [asked] = world.surface.asked;
  expect(asked?.signal.aborted).toBe(true);
  asked?.answer({ kind: "confirmed", confirmed: true });
  await world.emit("a");
  expect(world.framesOf("a", "extension_ui_response")).toEqual([{ ...response("u1"), cancelled: true }]);
});

test("an extension cannot take back the question of another", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", confirm("u1"));
  await world.emit("b", ui("x", "cancel", { targetId: "u1" }));
  expect(world.host.dialogs.open).toHaveLength(1);
});

test("a dialog with a timeout ends by it, on the surface too", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", confirm("u1", { timeout: 60 }), confirm("u2", { timeout: 0 }), confirm("u3", { timeout: -5 }));
  expect(world.surface.asked[0]?.dialog.timeoutMs).toBeLessThanOrEqual(60);
  expect(world.surface.asked[1]?.dialog.timeoutMs).toBeUndefined();
  expect(await world.frame("a", response("u1"))).toEqual({ ...response("u1"), cancelled: true, timedOut: true });
  expect(world.surface.asked[0]?.signal.aborted).toBe(true);
  expect(world.host.dialogs.open).toHaveLength(2);
});

test("a surface that has a deadline of its own says so", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", confirm("u1"));
  world.surface.asked[0]?.answer({ kind: "cancelled", timedOut: true });
  expect(await world.frame("a", response("u1"))).toEqual({ ...response("u1"), cancelled: true, timedOut: true });
});

test("a surface that cannot ask cancels at once", async () => {
  await using world = await HostWorld.of({ a: {} });
  world.surface.lacks.add("ask");
  await world.emit("a", confirm("u1"));
  expect(await world.frame("a", response("u1"))).toEqual({ ...response("u1"), cancelled: true });
});

test("a surface that fails to ask cancels, and the log says so", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", confirm("u1"));
  world.surface.asked[0]?.fail(new Error("screen is gone"));
  expect(await world.frame("a", response("u1"))).toMatchObject({ cancelled: true });
  expect(await world.diagnosed("a", "screen is gone")).toContain("could not ask");
});

test("the end of an extension closes its dialogs", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", confirm("u1"));
  await world.emit("b", confirm("u1"));
  process.kill(world.pid("a"), "SIGKILL");
  await world.surface.told("clearChrome");
  expect(world.surface.asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(world.host.dialogs.open.map(({ extension }) => extension)).toEqual(["b"]);
  expect(world.host.attention.asking.map(({ extension }) => extension)).toEqual(["b"]);
});

test("a dialog opened before there is a surface waits for one, and moves to the next", async () => {
  await using world = await HostWorld.of({ a: {} }, { detached: true });
  await world.emit("a", confirm("u1"));
  expect(world.host.attention.asking).toEqual([]);
  const attached = world.host.attach(world.surface);
  const [first] = world.surface.asked;
  expect(world.host.attention.asking).toEqual([{ extension: "a", generation: 1 }]);
  attached[Symbol.dispose]();
  expect(first?.signal.aborted).toBe(true);
  expect(world.host.attention.asking).toEqual([]);

  const second = new RecordingSurface();
  world.host.attach(second);
  first?.answer({ kind: "confirmed", confirmed: false });
  second.asked[0]?.answer({ kind: "confirmed", confirmed: true });
  expect(await world.frame("a", response("u1"))).toMatchObject({ confirmed: true });
});

test("while a dialog is open the calls to its extension are given time", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", confirm("u1"));
  const ask = (name: string) =>
    world.extension(name).connection?.call("event_intercept", { event: "turn_start" }, { deadlineMs: 100 });
  let end: string | undefined;
  const waiting = ask("a")?.then(({ kind }) => {
    end = kind;
  });
  expect((await ask("b"))?.kind).toBe("timeout");
  expect(end).toBeUndefined();
  world.surface.asked[0]?.answer({ kind: "confirmed", confirmed: true });
  await waiting;
  expect(end).toBe("timeout");
});

describe("an answer that does not fit is cancelled, and the log says why", () => {
  const wrong: Record<string, { method: string; frame: object; answer: DialogAnswer; fault: string }> = {
    "of another kind": {
      method: "confirm",
      frame: { title: "T", message: "M" },
      answer: { kind: "value", value: "yes" },
      fault: "confirm is answered by confirmed, not by value",
    },
    "with too few parts": {
      method: "ask",
      frame: { questions },
      answer: { kind: "answers", answers: [{ id: "q1", selectedOptions: ["one"] }] },
      fault: "1 answers to 2 questions",
    },
    "in the wrong order": {
      method: "ask",
      frame: { questions },
      answer: {
        kind: "answers",
        answers: [
          { id: "q2", selectedOptions: [] },
          { id: "q1", selectedOptions: [] },
        ],
      },
      fault: 'question "q1": answered as "q2"',
    },
    "with an option that was not offered": {
      method: "ask",
      frame: { questions: questions.slice(0, 1) },
      answer: { kind: "answers", answers: [{ id: "q1", selectedOptions: ["three"] }] },
      fault: 'no option is called "three"',
    },
    "with one option twice": {
      method: "ask",
      frame: { questions: questions.slice(1) },
      answer: { kind: "answers", answers: [{ id: "q2", selectedOptions: ["x", "x"] }] },
      fault: "one option is chosen twice",
    },
    "with two options where one is asked for": {
      method: "ask",
      frame: { questions: questions.slice(0, 1) },
      answer: { kind: "answers", answers: [{ id: "q1", selectedOptions: ["one", "two"] }] },
      fault: "more than one option is chosen",
    },
    "with an option and a text where one is asked for": {
      method: "ask",
      frame: { questions: questions.slice(0, 1) },
      answer: { kind: "answers", answers: [{ id: "q1", selectedOptions: ["one"], customInput: "two" }] },
      fault: "both an option and a text are given",
    },
  };
  for (const [name, { method, frame, answer, fault }] of Object.entries(wrong)) {
    test(name, async () => {
      await using world = await HostWorld.of({ a: {} });
      await world.emit("a", ui("u1", method, frame));
      world.surface.asked[0]?.answer(answer);
      expect(await world.frame("a", response("u1"))).toEqual({ ...response("u1"), cancelled: true });
      expect(await world.diagnosed("a", "answer to dialog u1")).toContain(fault);
    });
  }
});

describe("a question that cannot be asked is answered with cancelled, and the log says why", () => {
  const bad: Record<string, object> = {
    "unknown method": { method: "dance" },
    "options: ": { method: "select", title: "T" },
    "options: Invalid length": { method: "select", title: "T", options: Array(1_001).fill("x") },
    "questions.0: recommended is no index of options": {
      method: "ask",
      questions: [{ id: "q", question: "Q", options: [{ label: "a" }], recommended: 3 }],
    },
    "questions: one id twice": {
      method: "ask",
      questions: [
        { id: "q", question: "Q", options: [] },
        { id: "q", question: "Q", options: [] },
      ],
    },
    "questions.0: options has one label twice": {
      method: "ask",
      questions: [{ id: "q", question: "Q", options: [{ label: "a" }, { label: "a" }] }],
    },
  };
  for (const [fault, fields] of Object.entries(bad)) {
    test(fault, async () => {
      await using world = await HostWorld.of({ a: {} });
      await world.emit("a", { type: "extension_ui_request", id: "u1", ...fields });
      expect(await world.frame("a", response("u1"))).toEqual({ ...response("u1"), cancelled: true });
      expect(await world.diagnosed("a", "bad extension_ui_request")).toContain(fault.replace("Invalid length", ""));
      expect(world.surface.asked).toEqual([]);
    });
  }

  test("one without an id has nobody to answer", async () => {
    await using world = await HostWorld.of({ a: {} });
    await world.emit("a", { type: "extension_ui_request", method: "confirm", title: "T" });
    expect(await world.diagnosed("a", "a question needs an id")).toContain('"confirm"');
    expect(world.surface.asked).toEqual([]);
  });
});

test("a second question under an open id is ignored, and the first one goes on", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", confirm("u1"), confirm("u1"));
  expect(world.surface.asked).toHaveLength(1);
  await world.diagnosed("a", "is open already");
  world.surface.asked[0]?.answer({ kind: "confirmed", confirmed: true });
  expect(await world.frame("a", response("u1"))).toMatchObject({ confirmed: true });
});

test("open dialogs of one extension are bounded", async () => {
  await using world = await HostWorld.of({ a: {}, b: {} });
  await world.emit("a", ...Array.from({ length: 66 }, (_, n) => confirm(`u${n}`)));
  await world.emit("b", confirm("u1"));
  expect(await world.frame("a", response("u65"))).toMatchObject({ cancelled: true });
  expect(world.host.dialogs.open).toHaveLength(65);
});

test("an answer beyond the frame limit becomes cancelled", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit("a", ui("u1", "editor", { title: "T" }));
  world.surface.asked[0]?.answer({ kind: "value", value: "x".repeat(4 * 1024 * 1024) });
  expect(await world.frame("a", response("u1"))).toEqual({ ...response("u1"), cancelled: true });
  await world.diagnosed("a", "exceeds the frame limit");
});

test("notices of feature ui reach the same rooms as plain frames", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit(
    "a",
    ui("1", "notify", { message: "careful", notifyType: "warning" }),
    ui("2", "notify", { message: "plain" }),
    ui("3", "setStatus", { statusKey: "k", statusText: "\u001b[31mred" }),
    ui("4", "setWidget", { widgetKey: "w", widgetLines: ["1"], widgetPlacement: "belowEditor" }),
    ui("5", "setTitle", { title: "window" }),
    ui("6", "set_editor_text", { text: "draft" }),
    ui("7", "open_url", { url: "https://example.com/a b", launchUrl: "http://127.0.0.1:1/x", instructions: "log in" }),
    { type: "extension_ui_request", method: "notify", message: "no id needed" },
  );
  expect(world.surface.notes).toEqual(["[a] warn: careful", "[a] info: plain", "[a] info: no id needed"]);
  expect(world.host.chrome.statuses.list[0]?.text).toBe("\u001b[31mred");
  expect(world.host.chrome.widgets.list[0]).toMatchObject({ id: "w", position: "above_input", lines: ["1"] });
  expect(world.surface.of("setTitle")[0]?.submission.text).toBe("window");
  expect(world.surface.of("setEditorText")[0]?.submission.text).toBe("draft");
  expect(world.surface.of("openUrl")[0]?.link).toMatchObject({
    url: "https://example.com/a%20b",
    launchUrl: "http://127.0.0.1:1/x",
    instructions: "log in",
  });
  await world.emit("a", ui("8", "setStatus", { statusKey: "k" }), ui("9", "setWidget", { widgetKey: "w" }));
  expect(world.host.chrome.statuses.list).toEqual([]);
  expect(world.host.chrome.widgets.list).toEqual([]);
  expect(world.framesOf("a", "extension_ui_response")).toEqual([]);
});

test("only pages of the web can be opened", async () => {
  await using world = await HostWorld.of({ a: {} });
  await world.emit(
    "a",
    ui("1", "open_url", { url: "file:///etc/passwd" }),
    ui("2", "open_url", { url: "https://example.com", launchUrl: "vscode://x" }),
    ui("3", "open_url", { url: "not a url" }),
  );
  expect(world.surface.of("openUrl")).toEqual([]);
  await world.diagnosed("a", "only http and https pages can be opened (×3)");
});
