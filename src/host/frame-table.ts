import * as v from "valibot";
import { type RawJson, rawMember } from "../wire/raw-json.ts";
import {
  alertSchema,
  faultOf,
  logSchema,
  notifySchema,
  openPanelSchema,
  panelCloseSchema,
  panelRenderSchema,
  registerCommandSchema,
  registerToolSchema,
  registerUriSchemeSchema,
  statusSchema,
  submitSchema,
  subscribeSchema,
  widgetClearSchema,
  widgetSchema,
} from "../wire/schemas.ts";
import type { FrameHandler, FrameTable } from "./connection/connection.ts";
import type { Contributions } from "./contributions/contributions.ts";
import { levelOf } from "./contributions/level.ts";
import { checkToolSchema } from "./contributions/tool-schema.ts";
import type { Extension } from "./extension.ts";

type On = <T>(type: string, schema: v.GenericSchema<unknown, T>, handle: (frame: T, line: string) => void) => void;

/** What each frame of one extension does (extension-host.md §3.1). Answers to requests never come here. */
export function frameTable(extension: Extension, rooms: Contributions): FrameTable {
  const table = new Map<string, FrameHandler>();
  const on: On = (type, schema, handle) => {
    table.set(type, (frame, line) => {
      // One that no longer reads is given up while it may still talk: what it brings now would never be taken away.
      if (extension.state === "gone") return;
      const result = v.safeParse(schema, frame);
      if (result.success) handle(result.output, line);
      else extension.diagnostics.add(`bad ${type} frame: ${faultOf(result.issues)}`);
    });
  };
  /** Chrome of an extension that is on its way out may be dropped (§7.2), and would outlive it on the screen. */
  const whileLive: On = (type, schema, handle) => {
    on(type, schema, (frame, line) => {
      if (extension.connection !== undefined) handle(frame, line);
    });
  };

  registrations(extension, rooms, on);
  screen(extension, rooms, whileLive);
  on("notify", notifySchema, (frame) => rooms.chrome.notes.notify(extension, frame));
  table.set("clear_notes", () => rooms.chrome.notes.clear(extension));
  table.set("extension_ui_request", (frame) => {
    if (extension.connection !== undefined) rooms.uiRequests.handle(extension, frame);
  });
  on("log", logSchema, ({ level, message }, line) => {
    extension.log({ level: levelOf(level), message, ...withData(rawMember(line, "data")) });
  });
  table.set("ready", () => extension.markReady("explicit"));
  // A courtesy: what counts is that the process ends (§3.1).
  table.set("shutdown_ack", () => undefined);
  return table;
}

function registrations(extension: Extension, { registry, subscriptions, uris }: Contributions, on: On): void {
  on("register_command", registerCommandSchema, ({ name, description }) => {
    registry.addCommand({ extension, name: name.replace(/^\//, ""), description });
  });
  on("register_tool", registerToolSchema, ({ name, description, deferred, interactive }, line) => {
    const checked = checkToolSchema(rawMember(line, "schema"));
    if ("fault" in checked) extension.diagnostics.add(`tool "${name.slice(0, 80)}": ${checked.fault}; skipped`);
    else
      registry.addTool({
        extension,
        name,
        description,
        schema: checked.schema,
        deferred: deferred ?? false,
        interactive: interactive ?? false,
      });
  });
  on("register_uri_scheme", registerUriSchemeSchema, (frame) => uris.register(extension, frame));
  on("subscribe", subscribeSchema, (frame) => subscriptions.add(extension, frame));
}

function screen(extension: Extension, { chrome, panels, submits }: Contributions, on: On): void {
  on("status", statusSchema, (frame) => chrome.statuses.put(extension, frame));
  on("widget", widgetSchema, (frame) => chrome.widgets.put(extension, frame));
  on("widget_clear", widgetClearSchema, ({ id }) => chrome.widgets.clear(extension, id));
  on("alert", alertSchema, (frame) => chrome.alerts.alert(extension, frame));
  on("open_panel", openPanelSchema, ({ panel }) => panels.show(extension, panel));
  on("panel_render", panelRenderSchema, (frame) => panels.render(extension, frame));
  on("panel_close", panelCloseSchema, ({ panel_id }) => panels.closeByExtension(extension, panel_id));
  on("submit", submitSchema, ({ text }) => submits.prompt(extension, text));
  on("submit_slash", submitSchema, ({ text }) => submits.slash(extension, text));
}

function withData(data: RawJson | undefined): { readonly data?: RawJson } {
  return data === undefined ? {} : { data };
}
