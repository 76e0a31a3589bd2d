import { type IncomingFrame, type OutgoingFrame, textIn } from "./frames.ts";
import type { HostInfo } from "./host-info.ts";
import { type Tool, type ToolContext, toolContext } from "./tool.ts";
import { toolError } from "./tool-result.ts";

/** The tool calls that are running. */
export class ToolCalls {
  readonly #open = new Map<string, AbortController>();

  /**
   * Runs the call and gives its answer; undefined when the host cancelled it meanwhile, since nobody waits for an
   * answer then. Throws what the handler throws, unless the call was cancelled.
   */
  async run(
    tool: Tool | undefined,
    frame: IncomingFrame,
    line: string,
    host: HostInfo,
    send: (update: OutgoingFrame) => void,
  ): Promise<OutgoingFrame | undefined> {
    const id = textIn(frame, "id");
    if (tool === undefined) return toolError(id, `this extension has no tool ${JSON.stringify(textIn(frame, "name"))}`);
    const controller = new AbortController();
    this.#open.set(id, controller);
    const isOpen = (): boolean => this.#open.get(id) === controller;
    const context: ToolContext = toolContext(frame, line, host, controller.signal, (update) => {
      if (isOpen()) send(update);
    });
    try {
      const answer = await tool.call(frame["args"] ?? {}, context);
      return isOpen() ? answer : undefined;
    } catch (error) {
      if (isOpen()) throw error;
      // The handler of a cancelled call mostly throws the cancellation itself, and nobody waits for either.
      return undefined;
    } finally {
      if (isOpen()) this.#open.delete(id);
    }
  }

  /** The host has given up the call `id`. */
  cancel(id: string): void {
    const controller = this.#open.get(id);
    this.#open.delete(id);
    controller?.abort(new DOMException("the host cancelled the call", "AbortError"));
  }

  /** The host is leaving. Calls that still end are answered. */
  abortAll(): void {
    for (const controller of this.#open.values()) {
      controller.abort(new DOMException("the host is shutting down", "AbortError"));
    }
  }
}
