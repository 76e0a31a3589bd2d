import { type CommandHandler, type CommandOptions, defineCommand } from "./command.ts";
import { Connection } from "./connection.ts";
import type { Ui } from "./dialogs.ts";
import { SdkError } from "./error.ts";
import { type EventHandler, type EventName, isEventName, SESSION_EVENTS, type SessionChange } from "./event.ts";
import type { IncomingFrame, OutgoingFrame } from "./frames.ts";
import type { HostInfo } from "./host-info.ts";
import { type InterceptHandler, type InterceptName, type InterceptOptions, isInterceptName } from "./intercept.ts";
import type { Panel, PanelHandlers, PanelKey, PanelSize } from "./panel.ts";
import { checkHandler, checkName, Registrations } from "./registrations.ts";
import type { FromSchema, JsonSchema, ObjectSchema } from "./schema.ts";
import { type SessionState, type StateOptions, sessionState } from "./session-state.ts";
import { defineTool, type ToolHandler, type ToolOptions } from "./tool.ts";
import { defineUri, type UriHandlers } from "./uri.ts";

export type NoteLevel = "info" | "success" | "warn" | "error";

export interface ExtensionOptions {
  /** The `name` of extension.json. */
  readonly name: string;
  readonly version?: string;
  /** 2 asks for the zut dialect: sessions, state, turn context. Hosts that speak 1 only refuse it. Default 1. */
  readonly protocol?: 1 | 2;
}

/** Makes an extension. Register what it brings, then call `run()`. */
export function extension(options: ExtensionOptions): Extension {
  return new Extension(options);
}

/**
 * One extension process. Everything can be registered before `run()`, inside `onHello`, and later. Handlers may be
 * async and run side by side; what they throw becomes an error answer or a line in the log, and never ends the process.
 */
export class Extension {
  readonly #registrations = new Registrations();
  readonly #connection: Connection;
  readonly #protocol: 1 | 2;

  constructor({ name, version = "0.0.0", protocol = 1 }: ExtensionOptions) {
    checkName("extension", name);
    this.#protocol = protocol;
    this.#connection = new Connection({ name, version, protocol }, this.#registrations);
  }

  /** What hello_ack said. Throws `SdkError` "usage" before that. */
  get host(): HostInfo {
    return this.#connection.host;
  }

  /** Dialogs and the like, where the host has the feature `ui`. */
  get ui(): Ui {
    return this.#connection.dialogs;
  }

  /** Adds the slash command `/name`. A second one of the same name takes its place. */
  command(name: string, options: CommandOptions, handler: CommandHandler): void {
    checkName("command", name);
    checkHandler(`command ${name}`, handler);
    const command = defineCommand(name, options, handler);
    this.#registrations.commands.set(command.name, command);
    this.#connection.announce(command);
  }

  /**
   * Adds a tool for the model. The handler's argument type follows from `parameters`, and arguments that do not fit it
   * are answered before the handler is asked. A second tool of the same name takes its place.
   */
  tool<const S extends ObjectSchema>(name: string, options: ToolOptions<S>, handler: ToolHandler<FromSchema<S>>): void {
    checkName("tool", name);
    checkHandler(`tool ${name}`, handler);
    const tool = defineTool(name, options, handler);
    this.#registrations.tools.set(name, tool);
    this.#connection.announce(tool);
  }

  /**
   * Serves `scheme://…` to the tools `read` and `write`. A host without the feature `uri` does not hear of it, which
   * the log says. Throws `SdkError` "usage" for a scheme that cannot be one.
   */
  uri(scheme: string, handlers: UriHandlers): void {
    checkHandler(`uri ${scheme}`, handlers.read);
    if (handlers.write !== undefined) checkHandler(`uri ${scheme}`, handlers.write);
    const uri = defineUri(scheme, handlers);
    this.#registrations.uris.set(uri.name, uri);
    this.#connection.announce(uri);
  }

  /**
   * What the extension keeps with the conversation: one value, changed by the results of tools, gone back to with the
   * conversation. Throws `SdkError` "usage" without protocol 2, and when it is called again.
   */
  state<const S extends JsonSchema>(options: StateOptions<S>): SessionState<FromSchema<S>> {
    if (this.#protocol !== 2) throw new SdkError("usage", "state: only protocol 2 has it: extension({ protocol: 2 })");
    if (this.#registrations.state !== undefined) throw new SdkError("usage", "state: an extension has one only");
    const state = sessionState(options);
    this.#registrations.state = state;
    this.#connection.subscribe();
    return state;
  }

  /** Observes an event. Several handlers of one event run in the order of registration. */
  on<E extends EventName>(event: E, handler: EventHandler<E>): void {
    checkHandler(`on ${event}`, handler);
    if (!isEventName(event)) throw new SdkError("usage", `on: there is no event ${JSON.stringify(event)}`);
    this.#registrations.observers.add(event, handler);
    this.#connection.subscribe();
  }

  /** Observes everything that happens to the conversation that is open; all but `session_start` needs protocol 2. */
  onSession(handler: (change: SessionChange) => unknown): void {
    checkHandler("onSession", handler);
    for (const event of SESSION_EVENTS) this.on(event, (change) => handler({ ...change, event }));
  }

  /** Decides about an event before it happens, within 5 s. One handler for each event. */
  intercept<I extends InterceptName>(event: I, handler: InterceptHandler<I>, options: InterceptOptions = {}): void {
    checkHandler(`intercept ${event}`, handler);
    if (!isInterceptName(event))
      throw new SdkError("usage", `intercept: ${JSON.stringify(event)} cannot be intercepted`);
    if (!this.#registrations.interceptors.add(event, handler, options)) {
      throw new SdkError("usage", `intercept: ${event} has its handler already`);
    }
    this.#connection.subscribe();
  }

  /** Runs between hello_ack and ready: the place to register what depends on the host. */
  onHello(handler: (host: HostInfo) => unknown): void {
    checkHandler("onHello", handler);
    this.#registrations.onHello.push(handler);
  }

  /** Runs before the process ends, for at most 1.5 s. */
  onShutdown(handler: () => unknown): void {
    checkHandler("onShutdown", handler);
    this.#registrations.onShutdown.push(handler);
  }

  /** Shows a one-shot note. */
  notify(level: NoteLevel, message: string): void {
    this.send({ type: "notify", level, message });
  }

  /** Withdraws every note of this extension. */
  clearNotes(): void {
    this.send({ type: "clear_notes" });
  }

  /** Sends `text` as if the user had typed it; queued behind a running turn. Interactive hosts only. */
  submit(text: string): void {
    this.send({ type: "submit", text });
  }

  /** Shows a persistent status line; an empty `text` removes it. */
  status(key: string, text: string, level: NoteLevel = "info"): void {
    this.send({ type: "status", key, level, text });
  }

  /** Shows a persistent block above the input. */
  widget(id: string, content: { readonly title?: string; readonly lines: readonly string[] }): void {
    this.send({ type: "widget", id, position: "above_input", title: content.title, lines: content.lines });
  }

  clearWidget(id: string): void {
    this.send({ type: "widget_clear", id });
  }

  /** Rings the terminal bell, if the user has not turned that off. */
  bell(reason?: string): void {
    this.send({ type: "alert", kind: "bell", reason });
  }

  /** Writes a structured line to the extension's log. */
  log(level: "debug" | NoteLevel, message: string, data?: unknown): void {
    if (this.#connection.offers("log")) this.send({ type: "log", level, message, data });
    else console.error(`[${level}] ${message}`, ...(data === undefined ? [] : [data]));
  }

  /** Opens a panel at any time; a command returns `openPanel(…)` instead. */
  openPanel(panel: Panel): void {
    this.send({ type: "open_panel", panel });
  }

  /** Replaces what the open panel `panel.id` shows. */
  renderPanel({ id, title, lines, footer }: Panel): void {
    this.send({ type: "panel_render", panel_id: id, title, lines, footer });
  }

  closePanel(panelId: string): void {
    this.send({ type: "panel_close", panel_id: panelId });
  }

  /** Keys for the panel while it has the focus. */
  onPanelKey(panelId: string, handler: (key: PanelKey) => unknown): void {
    this.#onPanel(panelId, { key: handler });
  }

  /** The user closed the panel, or another one took its place. */
  onPanelClose(panelId: string, handler: () => unknown): void {
    this.#onPanel(panelId, { close: handler });
  }

  /** The room that the panel has; protocol 2 only. */
  onPanelResize(panelId: string, handler: (size: PanelSize) => unknown): void {
    this.#onPanel(panelId, { resize: handler });
  }

  /** Lets go of a panel's handlers, for ids that are used once. */
  forgetPanel(panelId: string): void {
    this.#registrations.panels.delete(panelId);
  }

  /** Takes the frames of a type that the SDK has no name for. */
  onFrame(type: string, handler: (frame: IncomingFrame) => unknown): void {
    checkHandler(`onFrame ${type}`, handler);
    this.#registrations.frames.set(type, handler);
  }

  /**
   * Sends any frame; before hello_ack it waits for that. Throws `SdkError` when it is longer than a host takes, and
   * `TypeError` when it is not JSON.
   */
  send(frame: OutgoingFrame): void {
    this.#connection.send(frame, "drop");
  }

  /** Says hello and serves the host. The process ends with the host: when it says shutdown, or closes our stdin. */
  async run(): Promise<never> {
    return await this.#connection.run();
  }

  /** Ends the process of the extension's own accord, with nothing lost that was sent. `process.exit` would cut it off. */
  async exit(code = 0): Promise<never> {
    return await this.#connection.exit(code);
  }

  #onPanel(panelId: string, handlers: PanelHandlers): void {
    for (const handler of Object.values(handlers)) checkHandler(`panel ${panelId}`, handler);
    this.#registrations.panels.set(panelId, { ...this.#registrations.panels.get(panelId), ...handlers });
  }
}
