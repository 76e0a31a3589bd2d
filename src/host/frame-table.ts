import * as v from "valibot";
import { rawMember } from "../wire/raw-json.ts";
import { faultOf, notifySchema, registerCommandSchema, registerToolSchema, subscribeSchema } from "../wire/schemas.ts";
import type { FrameHandler, FrameTable } from "./connection/connection.ts";
import type { Notes } from "./contributions/notes.ts";
import type { Registry } from "./contributions/registry.ts";
import type { Subscriptions } from "./contributions/subscriptions.ts";
import { checkToolSchema } from "./contributions/tool-schema.ts";
import type { Extension } from "./extension.ts";

export interface Contributions {
  readonly registry: Registry;
  readonly subscriptions: Subscriptions;
  readonly notes: Notes;
}

/** Frames that need a screen: accepted and without effect where there is none, as the protocol says (§3.4). */
const NEEDS_A_SCREEN = [
  "status",
  "widget",
  "widget_clear",
  "alert",
  "open_panel",
  "panel_render",
  "panel_close",
  "submit",
  "submit_slash",
];

/** What each frame of one extension does (extension-host.md §3.1). Answers to requests never come here. */
export function frameTable(extension: Extension, { registry, subscriptions, notes }: Contributions): FrameTable {
  const { diagnostics } = extension;
  const table = new Map<string, FrameHandler>();
  const on = <T>(type: string, schema: v.GenericSchema<unknown, T>, handle: (frame: T, line: string) => void): void => {
    table.set(type, (frame, line) => {
      const result = v.safeParse(schema, frame);
      if (result.success) handle(result.output, line);
      else diagnostics.add(`bad ${type} frame: ${faultOf(result.issues)}`);
    });
  };

  on("register_command", registerCommandSchema, ({ name, description }) => {
    registry.addCommand({ extension, name: name.replace(/^\//, ""), description });
  });
  on("register_tool", registerToolSchema, ({ name, description, deferred, interactive }, line) => {
    const checked = checkToolSchema(rawMember(line, "schema"));
    if ("fault" in checked) diagnostics.add(`tool "${name.slice(0, 80)}": ${checked.fault}; skipped`);
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
  on("subscribe", subscribeSchema, (frame) => subscriptions.add(extension, frame));
  on("notify", notifySchema, (frame) => notes.notify(extension, frame));
  table.set("clear_notes", () => notes.clear(extension));
  table.set("ready", () => extension.markReady("explicit"));
  // A courtesy: what counts is that the process ends (§3.1).
  table.set("shutdown_ack", () => undefined);
  for (const type of NEEDS_A_SCREEN) table.set(type, () => undefined);
  return table;
}
