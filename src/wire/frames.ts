import type { RawJson } from "./raw-json.ts";

/** A frame as it came: an object whose `type` is a string. Everything else about it is still to be checked. */
export interface InboundFrame {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** The transcript branch that is open (zut `SessionContext`). */
export interface SessionContext {
  readonly id: string;
  readonly parent_id?: string;
  readonly path?: string;
  readonly cwd?: string;
  readonly fork_point?: number;
}

/** What stands beside `type` and `event` in an `event` or `event_intercept` frame (extension-host.md §4.4, §4.5). */
export interface EventPayload {
  readonly step?: number;
  readonly stop?: string;
  readonly error?: string;
  readonly tool_id?: string;
  readonly tool_name?: string;
  readonly tool_args?: RawJson;
  readonly tool_preview?: string;
  readonly text?: string;
  readonly session?: SessionContext;
  readonly state?: RawJson;
}

/** What stands beside `id` and `event` in the intercept of `before_agent_start` (§4.5). */
export interface AgentStartRequest {
  readonly session_id: string;
  /** The same for every extension of one pass, new for each pass. */
  readonly agent_run_id: string;
  readonly cwd: string;
  readonly provider: string;
  readonly model: string;
}

/** Names of `panel_key.key` (extension-host.md §5.2); `esc` is reserved and never sent. */
export const PANEL_KEYS = [
  "up",
  "down",
  "left",
  "right",
  "enter",
  "tab",
  "backspace",
  "delete",
  "home",
  "end",
  "pageup",
  "pagedown",
  "rune",
] as const;

export type PanelKeyName = (typeof PANEL_KEYS)[number];

/** How a question of an extension ended; one of these for every dialog (feature `ui`). */
export type UiResponse =
  | { readonly value: string }
  | { readonly confirmed: boolean }
  | { readonly answers: readonly UiAnswer[] }
  | { readonly cancelled: true; readonly timedOut?: true };

/** The answer to one question of an `ask`: labels as they were given, and what was typed instead or besides. */
export interface UiAnswer {
  readonly id: string;
  readonly selectedOptions: readonly string[];
  readonly customInput?: string;
}

/** Host → extension (extension-host.md §3.2): the fields of each type beside `type`. */
export interface HostFrames {
  readonly hello_ack: {
    readonly protocol_version: number;
    readonly zot_version?: string;
    readonly zut_version?: string;
    readonly provider: string;
    readonly model: string;
    readonly cwd: string;
    readonly extension_dir: string;
    readonly data_dir: string;
    readonly features: readonly string[];
    /** Protocol 2, when a conversation is open already. */
    readonly session?: SessionContext;
  };
  readonly command_invoked: { readonly id: string; readonly name: string; readonly args?: string };
  readonly tool_call: { readonly id: string; readonly name: string; readonly args: RawJson };
  readonly tool_cancel: { readonly id: string };
  readonly event: EventPayload & { readonly event: string };
  readonly event_intercept: EventPayload &
    Partial<AgentStartRequest> & { readonly id: string; readonly event: string; readonly system_prompt?: string };
  readonly panel_key: { readonly panel_id: string; readonly key: PanelKeyName; readonly text?: string };
  readonly panel_resize: { readonly panel_id: string; readonly width: number; readonly height: number };
  readonly panel_close: { readonly panel_id: string };
  readonly extension_ui_response: { readonly id: string } & UiResponse;
  readonly uri_request: {
    readonly id: string;
    readonly operation: "read" | "write";
    readonly url: string;
    readonly content?: string;
  };
  readonly uri_cancel: { readonly id: string };
  readonly shutdown: Readonly<Record<string, never>>;
}

export type HostFrameType = keyof HostFrames;

/** What one line holds: a frame, text that is not JSON, or JSON that is no frame. */
export type ParsedLine =
  | { readonly kind: "frame"; readonly frame: InboundFrame }
  | { readonly kind: "malformed"; readonly detail: string }
  | { readonly kind: "untyped" };

/** Parses one line (extension-host.md §2.1): arrays, numbers and strings are malformed, objects need a `type`. */
export function parseFrame(line: string): ParsedLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const detail = error instanceof Error ? error.message.replace(/^JSON Parse error: /, "") : String(error);
    return { kind: "malformed", detail };
  }
  if (value === null) return { kind: "untyped" };
  if (typeof value !== "object") return { kind: "malformed", detail: `a ${typeof value}, not an object` };
  if (Array.isArray(value)) return { kind: "malformed", detail: "an array, not an object" };
  return isFrame(value) ? { kind: "frame", frame: value } : { kind: "untyped" };
}

function isFrame(value: object): value is InboundFrame {
  return Object.hasOwn(value, "type") && "type" in value && typeof value.type === "string";
}
