import { RpcError } from "../../error.ts";
import { textField } from "../../fields.ts";
import type { Handlers, OmpContext } from "../context.ts";
import { contextUsage } from "../context-usage.ts";
import type { Entry } from "../conversation.ts";
import { messagePage } from "../message-page.ts";
import { modelFields } from "../model-fields.ts";
import { queueFields } from "../queued-text.ts";

/** What there is: the state, the messages, the history. */
export const stateCommands: Handlers = {
  get_state: (context) => stateOf(context),

  get_messages: ({ conversation }) => ({ messages: conversation.messages }),

  get_messages_page: ({ engine, conversation }, { fields }) => {
    if (engine.agent.busy) throw new RpcError("Cannot page messages while the session is changing", "session_busy");
    return messagePage(conversation, fields["cursor"], fields["limit"]);
  },

  get_last_assistant_text: ({ conversation }) => {
    const last = conversation.messages.findLast((message) => message.role === "assistant");
    if (last === undefined) return { text: null };
    return { text: last.content.map((block) => (block.type === "text" ? block.text : "")).join("") };
  },

  get_available_commands: ({ slash }) => ({ commands: slash.available }),
  refresh_commands: ({ slash, catalogue }) => {
    catalogue.refresh();
    return { commands: slash.available };
  },

  get_entries: ({ conversation }, { fields }) => {
    const { since } = fields;
    const { entries, leafId } = conversation;
    if (since === undefined || since === null) return { entries, leafId };
    const at = entries.findIndex(({ id }) => id === since);
    if (at < 0) throw new RpcError(`Unknown entries cursor: ${String(since)}`, "unknown_since");
    return { entries: entries.slice(at + 1), leafId };
  },

  get_tree: ({ conversation }) => ({ tree: treeOf(conversation.entries), leafId: conversation.leafId }),

  get_branch_messages: ({ conversation }) => ({
    messages: conversation.entries.flatMap(({ id, message }) => {
      if (message.role !== "user") return [];
      return [
        { entryId: id, text: message.content.map((block) => (block.type === "text" ? block.text : "")).join("") },
      ];
    }),
  }),

  get_session_stats: (context) => statsOf(context),

  set_session_name: ({ conversation }, command) => {
    const name = command.fields["name"];
    if (typeof name !== "string" || name.trim() === "") throw new RpcError("Session name cannot be empty");
    conversation.rename(textField(command, "name"));
  },
};

function stateOf({ engine, lifecycle, conversation, shell }: OmpContext): object {
  const { agent } = engine;
  const { waiting, modes } = agent.queue;
  return {
    model: modelFields(agent.model),
    thinkingLevel: agent.reasoning,
    isStreaming: agent.busy && !lifecycle.isCompacting,
    isCompacting: lifecycle.isCompacting,
    steeringMode: modes.steer,
    followUpMode: modes.follow_up,
    interruptMode: agent.interrupts ? "immediate" : "wait",
    sessionFile: conversation.file,
    sessionId: conversation.id,
    sessionName: conversation.name,
    autoCompactionEnabled: agent.compactor.isAutomatic,
    fastModeEnabled: false,
    fastModeActive: false,
    tokensPerSecond: null,
    messageCount: conversation.messages.length,
    queuedMessageCount: waiting.length,
    queuedMessages: queueFields(agent.queue),
    hasPendingAsyncWork: shell.isRunning,
    isSettled: lifecycle.isSettled,
    todoPhases: [],
    systemPrompt: [engine.systemPrompt()],
    dumpTools: agent.tools.map(({ name, description, schema }) => ({ name, description, parameters: schema })),
    contextUsage: contextUsage(engine),
  };
}

function statsOf({ engine, conversation }: OmpContext): object {
  const { messages } = conversation;
  const { input, output, reasoning, cacheRead, cacheWrite, costUsd } = engine.agent.usage;
  const count = (role: string): number => messages.filter((message) => message.role === role).length;
  const toolCalls = messages.flatMap((message) =>
    message.role === "assistant" ? message.content.filter((block) => block.type === "toolCall") : [],
  );
  return {
    sessionFile: conversation.file,
    sessionId: conversation.id,
    userMessages: count("user"),
    assistantMessages: count("assistant"),
    toolCalls: toolCalls.length,
    toolResults: count("toolResult"),
    totalMessages: messages.length,
    tokens: {
      input,
      output,
      reasoning: reasoning ?? 0,
      cacheRead,
      cacheWrite,
      total: input + output + cacheRead + cacheWrite,
    },
    cost: costUsd,
    premiumRequests: 0,
    contextUsage: contextUsage(engine),
  };
}

interface TreeNode {
  readonly entry: Entry;
  readonly children: readonly TreeNode[];
}

/** A conversation is one branch: each entry has one child, the last has none. */
function treeOf(entries: readonly Entry[]): readonly TreeNode[] {
  return entries.reduceRight<readonly TreeNode[]>((children, entry) => [{ entry, children }], []);
}
