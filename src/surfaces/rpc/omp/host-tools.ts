import { type BuiltinTool, type ToolContext, type ToolOutcome, textOutcome } from "../../../agent/tools/tool.ts";
import type { SendFrame } from "../client-dialogs.ts";
import { HostCalls } from "./host-calls.ts";
import { type HostToolDefinition, readHostTools } from "./host-tool-definition.ts";
import { FINDER_NAME, finderTool } from "./host-tool-finder.ts";
import { type HostToolResult, payloadOf, readBlocks, readHostToolResult } from "./host-tool-result.ts";
import type { ResultFacts } from "./message.ts";

type Fields = Readonly<Record<string, unknown>>;
/** Tools that the client runs (rpc-wire.md §3.4): one set at a time, replaced as a whole. */
export class HostTools {
  readonly #send: SendFrame;
  readonly #calls = new HostCalls<HostToolResult>();
  /** Calls that wait, by the id of their request: who shows their progress. */
  readonly #contexts = new Map<string, ToolContext>();
  /** What the client said of results besides what the model gets, by call id, until the run is over. */
  readonly #facts = new Map<string, ResultFacts>();
  /** Tools that were looked up, and so are offered. */
  readonly #found = new Set<string>();
  #definitions: readonly HostToolDefinition[] = [];
  #tools: readonly BuiltinTool[] = [];

  constructor(send: SendFrame) {
    this.#send = send;
  }

  get isWaiting(): boolean {
    return this.#calls.isWaiting;
  }

  /** As the agent has them now. */
  get tools(): readonly BuiltinTool[] {
    return this.#tools;
  }

  /** Names of those that have to be looked up. */
  get discoverable(): readonly string[] {
    return this.#definitions.filter(({ isHidden, isEssential }) => !isHidden && !isEssential).map(({ name }) => name);
  }

  /**
   * Replaces the set; a call under way is not touched. Throws `RpcError`, and the set before stays.
   * @param isTaken whether the agent has a tool of this name of its own
   */
  set(tools: unknown, isTaken: (name: string) => boolean): readonly string[] {
    this.#definitions = readHostTools(tools, (name) => name === FINDER_NAME || isTaken(name));
    for (const name of this.#found) if (!this.discoverable.includes(name)) this.#found.delete(name);
    this.#offer();
    return this.#definitions.map(({ name }) => name);
  }

  /** Takes a `host_tool_update`; false when it has not the shape of one. */
  update({ id, partialResult }: Fields): boolean {
    const payload = payloadOf(partialResult);
    if (typeof id !== "string" || payload === undefined) return false;
    const context = this.#contexts.get(id);
    if (context === undefined) return true;
    if (payload["details"] !== undefined) this.#facts.set(context.callId, { details: payload["details"] });
    context.update(readBlocks(payload.content).blocks);
    return true;
  }

  /** Takes a `host_tool_result`; false when it has not the shape of one, and the call goes on waiting. */
  result({ id, result, isError }: Fields): boolean {
    const payload = payloadOf(result);
    if (typeof id !== "string" || payload === undefined) return false;
    if (this.#calls.has(id)) this.#calls.answer(id, readHostToolResult(payload, isError === true));
    return true;
  }

  factsOf(callId: string): ResultFacts {
    return this.#facts.get(callId) ?? {};
  }

  /** The run is over, and its results have been told. */
  forgetFacts(): void {
    this.#facts.clear();
  }

  clientGone(): void {
    this.#calls.clientGone();
  }

  #offer(): void {
    const visible = this.#definitions.filter(({ isHidden }) => !isHidden);
    const tools = visible.map((definition) => this.#toolOf(definition));
    const toFind = visible.filter(({ isEssential }) => !isEssential);
    this.#tools = toFind.length === 0 ? tools : [...tools, finderTool(toFind, (name) => this.#find(name))];
  }

  #find(name: string): void {
    this.#found.add(name);
    this.#offer();
  }

  #toolOf({ name, description, schema, isEssential }: HostToolDefinition): BuiltinTool {
    return {
      name,
      description,
      schema,
      isParallel: true,
      isUnlisted: !isEssential && !this.#found.has(name),
      run: (args, context) => this.#run(name, args, context),
    };
  }

  async #run(toolName: string, args: unknown, context: ToolContext): Promise<ToolOutcome> {
    const { callId: toolCallId, signal } = context;
    let requested = "";
    const end = await this.#calls.request({
      signal,
      send: (id) => {
        requested = id;
        this.#contexts.set(id, context);
        return this.#send("host_tool_call", { id, toolCallId, toolName, arguments: args });
      },
      cancel: (fields) => this.#send("host_tool_cancel", fields),
    });
    this.#contexts.delete(requested);
    if (end.kind === "answer") {
      this.#facts.set(toolCallId, end.answer.facts);
      return end.answer.outcome;
    }
    this.#facts.set(toolCallId, { details: {} });
    switch (end.kind) {
      case "aborted":
        return textOutcome(`Host tool "${toolName}" was aborted`, true);
      case "gone":
        return textOutcome("RPC client disconnected before host tool execution completed", true);
      case "too_long":
        return textOutcome(`The arguments are too long for a call of host tool "${toolName}"`, true);
    }
  }
}
