import type { Command } from "./command.ts";
import { SdkError } from "./error.ts";
import { Observers, SESSION_EVENTS } from "./event.ts";
import type { IncomingFrame, OutgoingFrame } from "./frames.ts";
import type { HostInfo } from "./host-info.ts";
import { Interceptors } from "./intercept.ts";
import type { PanelHandlers } from "./panel.ts";
import type { SessionState } from "./session-state.ts";
import type { Tool } from "./tool.ts";
import type { UriScheme } from "./uri.ts";

/** Something that the host is to know of. */
export interface Announced {
  /** The encoded frame. */
  readonly announcement: string;
  /** Without it the frame means nothing to a host. */
  readonly feature?: string;
}

/** Everything the author has hung into the extension. */
export class Registrations {
  readonly commands = new Map<string, Command>();
  readonly tools = new Map<string, Tool>();
  /** Keyed by scheme. */
  readonly uris = new Map<string, UriScheme>();
  readonly observers = new Observers();
  readonly interceptors = new Interceptors();
  readonly onHello: ((host: HostInfo) => unknown)[] = [];
  readonly onShutdown: (() => unknown)[] = [];
  /** Keyed by panel id. */
  readonly panels = new Map<string, PanelHandlers>();
  /** Handlers for frames that the SDK itself does not know, keyed by type. */
  readonly frames = new Map<string, (frame: IncomingFrame) => unknown>();

  state: Pick<SessionState<unknown>, "load" | "stored"> | undefined;

  /** What the host is told of once it has said hello_ack. */
  announced(): readonly Announced[] {
    return [...this.commands.values(), ...this.tools.values(), ...this.uris.values()];
  }

  /** The frame that subscribes to everything observed and intercepted; undefined when that is nothing. */
  subscription(): OutgoingFrame | undefined {
    const events = [...new Set([...this.observers.names(), ...(this.state === undefined ? [] : SESSION_EVENTS)])];
    const intercept = this.interceptors.names();
    if (events.length === 0 && intercept.length === 0) return undefined;
    return {
      type: "subscribe",
      events: events.length > 0 ? events : undefined,
      intercept: intercept.length > 0 ? intercept : undefined,
    };
  }

  /** The `capabilities` of hello: for people to read, all but `tool_cancel`, which makes the host send that frame. */
  capabilities(): readonly string[] {
    const subscribes = this.subscription() !== undefined;
    return [
      ...(this.commands.size > 0 ? ["commands"] : []),
      ...(this.tools.size > 0 ? ["tools"] : []),
      ...(subscribes ? ["events"] : []),
      ...(this.panels.size > 0 ? ["panels"] : []),
      "tool_cancel",
    ];
  }
}

/** Refuses what would only fail later, far from the line that got it wrong. Plain JavaScript has no compiler to ask. */
export function checkHandler(what: string, handler: unknown): void {
  if (typeof handler !== "function") throw new SdkError("usage", `${what}: the handler must be a function`);
}

/** Throws `SdkError` when `name` is not a text with something in it. */
export function checkName(what: string, name: unknown): void {
  if (typeof name !== "string" || name.trim() === "")
    throw new SdkError("usage", `${what}: the name must not be empty`);
}
