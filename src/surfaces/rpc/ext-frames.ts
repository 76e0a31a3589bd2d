import type { Alert, Note, Panel, Status, Widget } from "../../host/ports.ts";

/** One object of the line protocol. */
export interface ExtFrame {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * What extensions show, as objects of the line protocol (extension-host.md §3.4). They are the same on both wires; a
 * cleared status is one with an empty text.
 */
export const extFrames = {
  notify: ({ extension, level, message }: Note) => frame("ext_notify", { extension, level, message }),
  clearNotes: (extension: string) => frame("ext_clear_notes", { extension }),
  display: (extension: string, text: string) => frame("ext_display", { extension, text }),
  status: ({ extension, key, level, text }: Status) => frame("ext_status", { extension, key, level, text }),
  clearStatus: (extension: string, key: string) => frame("ext_status", { extension, key, level: "info", text: "" }),
  widget: ({ extension, id, position, title, lines }: Widget) =>
    frame("ext_widget", { extension, id, position, title, lines }),
  clearWidget: (extension: string, id: string) => frame("ext_widget_clear", { extension, id }),
  alert: ({ extension, kind, reason }: Alert) => frame("ext_alert", { extension, kind, reason }),
  clearChrome: (extension: string) => frame("ext_chrome_clear", { extension }),
  /** Only for clients that asked for panels. */
  panel: (event: "open" | "render" | "close", { extension, id, title, lines, footer }: Panel) =>
    frame("ext_panel", { extension, event, panel: { id, title, lines, footer } }),
};

function frame(type: string, fields: ExtFrame["fields"]): ExtFrame {
  return { type, fields };
}
