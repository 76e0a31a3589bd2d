import { expect } from "bun:test";
import type { ToolContent } from "../../../src/host/contributions/tool-result.ts";
import type { Dialog } from "../../../src/host/dialog.ts";
import type { InboundFrame } from "../../../src/wire/frames.ts";
import { RawJson } from "../../../src/wire/raw-json.ts";
import type { HostWorld } from "../../support/host.ts";
import type { Author } from "./author.ts";
import type { Example } from "./examples.ts";

type Effect = (author: Author, example: Example) => Promise<void> | void;

/** Does with one example what an extension would, and checks that it has the effect that the reference promises. */
export async function play(author: Author, example: Example): Promise<void> {
  const { frame } = example;
  const name = frame.type === "extension_ui_request" ? `ui ${frame["method"]}` : frame.type;
  const effect = EFFECTS[name];
  if (effect === undefined) throw new Error(`nothing is known of the effect of ${example.line}`);
  if (example.answers !== undefined) await author.answerWith(example);
  else if (!GREETING.has(frame.type)) await author.say(example.line);
  await effect(author, example);
}

/** Said at the start. */
export const GREETING = new Set(["hello", "register_command", "register_tool", "subscribe", "ready"]);

const OBSERVED = ["turn_start", "turn_end", "tool_call", "tool_confirmation_requested", "assistant_message"] as const;
const INTERCEPTED = ["tool_call", "turn_start", "assistant_message"] as const;

const LIVE = new AbortController().signal;

const EFFECTS: Readonly<Record<string, Effect>> = {
  hello: ({ world, name }, { frame }) => {
    const { hello, dialect } = world.extension(name);
    expect(hello).toMatchObject({ ...frame });
    expect(Number(dialect)).toBe(Number(frame["protocol_version"]));
  },
  register_command: ({ world, name }, { frame }) => {
    expect(world.host.commands.offered).toContainEqual(
      expect.objectContaining({ ...fieldsOf(frame), extension: name }),
    );
  },
  register_tool: ({ world, name }, { frame }) => {
    const offered = world.host.tools.offered.find((tool) => tool.name === frame["name"]);
    expect(offered).toMatchObject({ description: frame["description"], extension: name });
    expect(offered?.schema.value()).toEqual(frame["schema"]);
    expect(offered?.deferred).toBe(frame["deferred"] === true);
    expect(world.host.registry.tool(String(frame["name"]))?.interactive).toBe(frame["interactive"] === true);
  },
  subscribe: async ({ world, name }, { frame }) => {
    const { host } = world;
    for (const event of OBSERVED) host.events.emit(event);
    host.sessions.emit("session_start", undefined);
    for (const event of strings(frame["events"])) await world.frame(name, { type: "event", event });
    expect(INTERCEPTED.filter((event) => host.intercepts.wants(event))).toEqual(
      expect.arrayContaining(strings(frame["intercept"])),
    );
  },
  ready: ({ world, name }) => {
    expect(world.extension(name).readiness).toBe("explicit");
  },
  command_response: async ({ world }, { frame }) => {
    const outcome = await world.host.commands.invoke("deploy", "staging");
    expect(outcome).toMatchObject(outcomeOf(frame));
  },
  tool_update: async ({ world }, { frame }) => {
    const updates: (readonly ToolContent[])[] = [];
    await world.host.tools.call("weather", "{}", LIVE, (content) => updates.push(content));
    expect<unknown>(updates).toEqual([contentOf(frame)]);
  },
  tool_result: async ({ world }, { frame }) => {
    const { details, ...result } = await world.host.tools.call("weather", "{}", LIVE);
    expect<unknown>(result).toEqual({
      content: contentOf(frame),
      isError: frame["is_error"] === true,
      activate: strings(frame["activate_tools"]),
    });
    expect(details?.value()).toEqual(frame["details"]);
  },
  event_intercept_response: async ({ world }, { frame }) => await intercept(world, frame),
  notify: ({ world }, { frame }) => {
    expect(world.surface.of("note").at(-1)?.note).toMatchObject(fieldsOf(frame));
  },
  clear_notes: ({ world, name }) => {
    expect(world.surface.of("clearNotes").at(-1)?.extension).toBe(name);
    expect(world.host.chrome.notes.list).toEqual([]);
  },
  status: ({ world }, { frame }) => {
    expect(world.surface.of("status").at(-1)?.status).toMatchObject(fieldsOf(frame));
  },
  widget: ({ world }, { frame }) => {
    expect(world.surface.of("widget").at(-1)?.widget).toMatchObject(fieldsOf(frame));
  },
  widget_clear: ({ world }, { frame }) => {
    expect(world.surface.of("clearWidget").at(-1)?.key).toBe(String(frame["id"]));
    expect(world.host.chrome.widgets.list).toEqual([]);
  },
  alert: ({ world }, { frame }) => {
    expect(world.surface.of("alert").at(-1)?.alert).toMatchObject(fieldsOf(frame));
  },
  open_panel: ({ world }, { frame }) => {
    expect(world.surface.of("openPanel").at(-1)?.panel).toMatchObject(Object(frame["panel"]));
  },
  panel_render: ({ world }, { frame }) => {
    expect(world.surface.of("renderPanel").at(-1)?.panel).toMatchObject({
      id: frame["panel_id"],
      lines: frame["lines"],
    });
  },
  panel_close: ({ world }, { frame }) => {
    expect(world.surface.of("closePanel").at(-1)?.panel.id).toBe(String(frame["panel_id"]));
    expect(world.host.panels.open).toBeUndefined();
  },
  submit: ({ world }, { frame }) => {
    expect(world.surface.of("submit").at(-1)?.submission.text).toBe(String(frame["text"]));
  },
  submit_slash: ({ world }, { frame }) => {
    const { name, args } = world.surface.of("submitSlash").at(-1)?.command ?? {};
    expect(`/${name} ${args}`).toBe(String(frame["text"]));
  },
  "ui select": (author, { frame }) => {
    const options = strings(frame["options"]).map((label) => ({ label, description: "" }));
    expect(asked(author, "select").question).toMatchObject({ title: frame["title"], options });
    expect(asked(author, "select").timeoutMs).toBeWithin(1, Number(frame["timeout"]) + 1);
  },
  "ui confirm": (author, { frame }) => {
    expect(asked(author, "confirm").question).toMatchObject({ title: frame["title"], message: frame["message"] });
  },
  "ui input": (author, { frame }) => {
    const { title, placeholder, secret } = frame;
    expect(asked(author, "input").question).toMatchObject({ title, placeholder, masked: secret });
  },
  "ui editor": (author, { frame }) => {
    expect(asked(author, "editor").question).toMatchObject({ title: frame["title"], prefill: frame["prefill"] });
  },
  "ui ask": (author, { frame }) => {
    expect(asked(author, "ask").question).toMatchObject({ kind: "ask", questions: frame["questions"] });
  },
  "ui cancel": async ({ world, name }, { frame }) => {
    await world.frame(name, { type: "extension_ui_response", id: frame["targetId"], cancelled: true });
    expect(world.surface.asked.filter(({ signal }) => signal.aborted)).toHaveLength(1);
  },
  "ui notify": ({ world }, { frame }) => {
    const { message, notifyType: level } = frame;
    expect(world.surface.of("note").at(-1)?.note).toMatchObject({ level, message });
  },
  "ui setStatus": ({ world }, { frame }) => {
    const { statusKey: key, statusText } = frame;
    expect(world.surface.of("status").at(-1)?.status).toMatchObject({ key, text: statusText });
  },
  "ui setWidget": ({ world }, { frame }) => {
    const { widgetKey: id, widgetLines: lines } = frame;
    expect(world.surface.of("widget").at(-1)?.widget).toMatchObject({ id, lines });
  },
  "ui setTitle": ({ world }, { frame }) => {
    expect(world.surface.of("setTitle").at(-1)?.submission.text).toBe(String(frame["title"]));
  },
  "ui set_editor_text": ({ world }, { frame }) => {
    expect(world.surface.of("setEditorText").at(-1)?.submission.text).toBe(String(frame["text"]));
  },
  "ui open_url": ({ world }, { frame }) => {
    const { url, instructions } = frame;
    expect(world.surface.of("openUrl").at(-1)?.link).toMatchObject({ url, instructions });
  },
  register_uri_scheme: ({ world, name }, { frame }) => {
    const { scheme, description, writable } = frame;
    expect(world.host.uris.schemes).toMatchObject([{ scheme, description, writable, extension: name }]);
  },
  uri_result: async ({ world }, { frame }) => {
    const { content, contentType, error } = frame;
    const expected =
      frame["isError"] === true ? { kind: "failed", text: error } : { kind: "content", content, contentType };
    expect(await world.host.uris.read("notes://monday", LIVE)).toMatchObject(expected);
  },
  log: ({ world, name }, { frame }) => {
    const line = world
      .log(name)
      .split("\n")
      .findLast((entry) => entry.startsWith("[log] "));
    expect(JSON.parse(String(line).slice("[log] ".length))).toMatchObject(fieldsOf(frame));
  },
  // It has none, and is no fault, which is checked for all of them.
  shutdown_ack: () => undefined,
};

/** What each answer to an intercept is for shows where it is asked for. */
async function intercept(
  { host }: HostWorld,
  { block, modified_args, replace_text, context, system_prompt, reason }: InboundFrame,
) {
  const { intercepts } = host;
  if (replace_text !== undefined)
    return expect(await intercepts.assistantMessage("secret", LIVE)).toMatchObject({
      kind: "allowed",
      text: replace_text,
    });
  if (context !== undefined)
    return expect(await intercepts.turnStart(1, LIVE)).toEqual({ kind: "allowed", context: `[reference]\n${context}` });
  if (system_prompt !== undefined) {
    const run = { session_id: "s", agent_run_id: "r", cwd: "/", provider: "offline", model: "offline" };
    return expect(await intercepts.beforeAgentStart(run, "base", LIVE)).toBe(String(system_prompt));
  }
  const args = RawJson.of({ command: "rm -rf /" });
  const verdict = await intercepts.toolCall({ id: "call-1", name: "bash", args }, LIVE);
  if (block === true) return expect(verdict).toMatchObject({ kind: "blocked", reason });
  expect(verdict).toEqual({
    kind: "allowed",
    args: modified_args === undefined ? args : RawJson.of(modified_args),
    rewrittenBy: modified_args === undefined ? [] : ["reference"],
  });
}

function outcomeOf({ action, prompt, insert, display, open_panel, error }: InboundFrame) {
  if (error !== undefined) return { kind: "error", text: `extension /deploy: ${error}` };
  const text = prompt ?? insert ?? display;
  return {
    kind: action,
    ...(text === undefined ? {} : { text }),
    ...(open_panel === undefined ? {} : { panel: open_panel }),
  };
}

/** The blocks of a frame as the agent gets them. */
function contentOf({ content }: InboundFrame): unknown[] {
  if (!Array.isArray(content)) throw new Error("content is no list");
  return content.map(({ mime_type: mimeType, ...block }) => (mimeType === undefined ? block : { ...block, mimeType }));
}

function asked({ world }: Author, kind: string): Dialog {
  const dialog = world.surface.asked.map((entry) => entry.dialog).findLast(({ question }) => question.kind === kind);
  if (dialog === undefined) throw new Error(`no ${kind} was asked`);
  return dialog;
}

/** Everything that it says besides its type. */
function fieldsOf({ type: _type, ...fields }: InboundFrame): Readonly<Record<string, unknown>> {
  return fields;
}

function strings(list: unknown): string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
