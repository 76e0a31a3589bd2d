import { type Fields, type ImageContent, isFields, type TextContent } from "./frames.ts";

export type Content = readonly (TextContent | ImageContent)[];

/** What a tool gives back. A plain text is a result of one text block. */
export interface HostToolResult {
  readonly content: Content;
  /** For the program around zot; never shown to the model. */
  readonly details?: unknown;
  readonly isError?: boolean;
  /** The result may be dropped from the conversation once it was read. */
  readonly useless?: boolean;
}

export interface HostToolContext {
  /** Id of the model's call. */
  readonly toolCallId: string;
  /** Aborts when the call was cancelled; a result after that counts for nothing. */
  readonly signal: AbortSignal;
  /** Shows what there is so far, in place of what was shown before. */
  update(content: string | Content): void;
}

/** A tool that this program runs for the model. A `run` that throws is a tool error with its message. */
export interface HostTool {
  readonly name: string;
  readonly label?: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Fields;
  /** `discoverable` (the default): the model has to look it up first. */
  readonly loadMode?: "essential" | "discoverable";
  readonly hidden?: boolean;
  run(args: Fields, context: HostToolContext): string | HostToolResult | Promise<string | HostToolResult>;
}

/** Runs host tools when zot asks for them. */
export class HostTools {
  readonly #send: (frame: Fields) => void;
  readonly #running = new Map<string, AbortController>();
  #tools: readonly HostTool[] = [];

  constructor(send: (frame: Fields) => void) {
    this.#send = send;
  }

  /** The tools from now on; the result is what zot is told of them. */
  set(tools: readonly HostTool[]): Fields[] {
    this.#tools = tools;
    return tools.map(({ run: _run, ...definition }) => definition);
  }

  /** Takes a `host_tool_call` or `host_tool_cancel`; false when `frame` is neither. */
  take(frame: Fields): boolean {
    const { type, id, targetId } = frame;
    if (type === "host_tool_cancel") this.#running.get(String(targetId))?.abort();
    if (type !== "host_tool_call" || typeof id !== "string") return type === "host_tool_cancel";
    const abort = new AbortController();
    this.#running.set(id, abort);
    void this.#run(id, frame, abort.signal);
    return true;
  }

  /** zot is gone. */
  close(): void {
    for (const abort of this.#running.values()) abort.abort();
  }

  async #run(id: string, { toolName, toolCallId, arguments: args }: Fields, signal: AbortSignal): Promise<void> {
    const tool = this.#tools.find(({ name }) => name === toolName);
    const context: HostToolContext = {
      toolCallId: String(toolCallId),
      signal,
      update: (content) => this.#send({ type: "host_tool_update", id, partialResult: { content: blocks(content) } }),
    };
    let result: HostToolResult;
    try {
      const given = await tool?.run(isFields(args) ? args : {}, context);
      result = resultOf(given ?? { content: blocks(`there is no tool ${String(toolName)}`), isError: true });
    } catch (error) {
      result = { content: blocks(error instanceof Error ? error.message : String(error)), isError: true };
    }
    this.#running.delete(id);
    if (!signal.aborted) this.#send({ type: "host_tool_result", id, result });
  }
}

function resultOf(result: string | HostToolResult): HostToolResult {
  return typeof result === "string" ? { content: blocks(result) } : result;
}

function blocks(content: string | Content): Content {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
