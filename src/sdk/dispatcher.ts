import { commandError, runCommand } from "./command.ts";
import { within } from "./deadline.ts";
import type { Dialogs } from "./dialogs.ts";
import { messageOf } from "./error.ts";
import { isSessionEvent } from "./event.ts";
import { type IncomingFrame, type OutgoingFrame, textIn } from "./frames.ts";
import type { HostInfo } from "./host-info.ts";
import { logLine } from "./log.ts";
import { OpenCalls } from "./open-calls.ts";
import type { Overflow } from "./outbound.ts";
import { handlePanelFrame } from "./panel.ts";
import type { Registrations } from "./registrations.ts";
import { toolContext } from "./tool.ts";
import { toolError } from "./tool-result.ts";
import { schemeIn, uriError } from "./uri.ts";

export interface DispatcherLinks {
  readonly registrations: Registrations;
  readonly dialogs: Dialogs;
  readonly host: HostInfo;
  send(frame: OutgoingFrame, overflow: Overflow): void;
}

/**
 * Takes the frames that follow the handshake to their handlers. Handlers run side by side: a tool that waits must not
 * hold up an interceptor. Whatever one throws ends here, as an error answer or in the log.
 */
export class Dispatcher {
  readonly #links: DispatcherLinks;
  readonly #calls = new OpenCalls();
  readonly #work = new Set<Promise<void>>();

  constructor(links: DispatcherLinks) {
    this.#links = links;
  }

  /** Starts what `frame` asks for. `line` is the text it was parsed from. */
  dispatch(frame: IncomingFrame, line: string): void {
    switch (frame.type) {
      case "command_invoked":
        this.#command(frame);
        break;
      case "tool_call":
        this.#toolCall(frame, line);
        break;
      case "tool_cancel":
      case "uri_cancel":
        this.#calls.cancel(textIn(frame, "id"));
        break;
      case "uri_request":
        this.#uri(frame);
        break;
      case "event":
        this.#event(frame, line);
        break;
      case "event_intercept":
        this.#intercept(frame, line);
        break;
      case "panel_key":
      case "panel_resize":
      case "panel_close":
        this.#panel(frame);
        break;
      case "extension_ui_response":
        this.#links.dialogs.answer(frame);
        break;
      default:
        this.#other(frame);
    }
  }

  /** The host is leaving: running tools are told, and what is at work gets up to `ms` to end. */
  async close(ms: number): Promise<void> {
    this.#calls.abortAll();
    this.#links.dialogs.close();
    await within(ms, Promise.all(this.#work));
  }

  #command(frame: IncomingFrame): void {
    const name = textIn(frame, "name");
    const command = this.#links.registrations.commands.get(name);
    this.#answer(
      `command /${name}`,
      async () => {
        if (command === undefined) return commandError(frame, `this extension has no command /${name}`);
        return await runCommand(command, frame, this.#links.host);
      },
      (message) => commandError(frame, message),
    );
  }

  #toolCall(frame: IncomingFrame, line: string): void {
    const { host, registrations, send } = this.#links;
    const name = textIn(frame, "name");
    const id = textIn(frame, "id");
    const tool = registrations.tools.get(name);
    const call = async (signal: AbortSignal, isOpen: () => boolean): Promise<OutgoingFrame> => {
      if (tool === undefined) return toolError(id, `this extension has no tool ${JSON.stringify(name)}`);
      const context = toolContext(frame, line, host, signal, (update) => {
        if (isOpen()) send(update, "drop");
      });
      return await tool.call(frame["args"] ?? {}, context);
    };
    this.#answer(
      `tool ${name}`,
      () => this.#calls.run(id, call),
      (message) => toolError(id, message),
      (result) => this.#storeState(result),
    );
  }

  /** Only now does the host have it: a result that nobody took has stored nothing. */
  #storeState({ details }: OutgoingFrame): void {
    if (details === undefined) return;
    for (const work of this.#links.registrations.state?.stored(details) ?? [])
      this.#track("onChange of the state", work);
  }

  #uri(frame: IncomingFrame): void {
    const { host, registrations } = this.#links;
    const scheme = schemeIn(frame);
    const uri = registrations.uris.get(scheme);
    this.#answer(
      `${textIn(frame, "operation")} of ${scheme}://`,
      () =>
        this.#calls.run(textIn(frame, "id"), async (signal) => {
          if (uri === undefined) return uriError(frame, `this extension does not serve ${scheme}://`);
          return await uri.answer(frame, { signal, host });
        }),
      (message) => uriError(frame, message),
    );
  }

  #intercept(frame: IncomingFrame, line: string): void {
    const { interceptors } = this.#links.registrations;
    this.#answer(
      `interceptor of ${textIn(frame, "event")}`,
      () => interceptors.answer(frame, line),
      (message) => interceptors.answerToError(frame, message),
    );
  }

  #event(frame: IncomingFrame, line: string): void {
    const { observers, state } = this.#links.registrations;
    const event = textIn(frame, "event");
    // First, so that observers of the same event find the new state.
    const changes = isSessionEvent(event) ? (state?.load(frame["state"]) ?? []) : [];
    for (const work of changes) this.#track("onChange of the state", work);
    for (const work of observers.start(frame, line)) this.#track(`observer of ${event}`, work);
  }

  #panel(frame: IncomingFrame): void {
    const handlers = this.#links.registrations.panels.get(textIn(frame, "panel_id"));
    if (handlers === undefined) return;
    this.#track(
      `handler of ${frame.type}`,
      start(() => handlePanelFrame(frame, handlers)),
    );
  }

  /** A frame of a protocol to come: nobody's, unless the author asked for it (extension-host.md §3.2). */
  #other(frame: IncomingFrame): void {
    const handler = this.#links.registrations.frames.get(frame.type);
    if (handler !== undefined)
      this.#track(
        `handler of ${frame.type}`,
        start(() => handler(frame)),
      );
  }

  /**
   * Sends what `work` gives and tells `sent`; when that fails, or does not fit into a frame, sends what `failure` makes
   * of it.
   */
  #answer(
    what: string,
    work: () => Promise<OutgoingFrame | undefined>,
    failure: (message: string) => OutgoingFrame,
    sent?: (frame: OutgoingFrame) => void,
  ): void {
    const answered = async (): Promise<void> => {
      let frame: OutgoingFrame | undefined;
      try {
        frame = await work();
        if (frame === undefined) return;
        this.#links.send(frame, "keep");
      } catch (error) {
        logLine(`${what} failed`, error);
        this.#links.send(failure(messageOf(error)), "keep");
        return;
      }
      sent?.(frame);
    };
    this.#track(what, answered());
  }

  #track(what: string, work: Promise<unknown>): void {
    const tracked = work.then(
      () => void this.#work.delete(tracked),
      (error) => {
        this.#work.delete(tracked);
        logLine(`${what} failed`, error);
      },
    );
    this.#work.add(tracked);
  }
}

/** Makes a throw a rejection. */
async function start(handler: () => unknown): Promise<void> {
  await handler();
}
