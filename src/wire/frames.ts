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
  };
  readonly command_invoked: { readonly id: string; readonly name: string; readonly args?: string };
  readonly tool_call: { readonly id: string; readonly name: string; readonly args: RawJson };
  readonly tool_cancel: { readonly id: string };
  readonly event: EventPayload & { readonly event: string };
  readonly event_intercept: EventPayload & { readonly id: string; readonly event: string };
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
