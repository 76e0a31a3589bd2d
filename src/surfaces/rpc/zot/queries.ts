import { REASONING_LEVELS } from "../../../llm/port.ts";
import { messageFields, usageFields } from "../../event-json.ts";
import type { Command } from "../command.ts";
import type { RpcEngine } from "../engine.ts";
import { RpcError } from "../error.ts";
import { textField } from "../fields.ts";

/** Answers a command at once; what it returns is the `data` of the response. Throws `RpcError`. */
type Query = (engine: RpcEngine, command: Command) => Promise<object | undefined> | object | undefined;

/** Commands of the zot wire that wait for nothing (extension-host.md §7.9). */
export const QUERIES: ReadonlyMap<string, Query> = new Map<string, Query>([
  ["ping", () => ({ pong: true })],
  [
    "get_state",
    ({ agent, cwd }) => ({
      provider: agent.model.provider,
      model: agent.model.id,
      reasoning: agent.reasoning ?? "",
      cwd,
      message_count: agent.session.messages.length,
      busy: agent.busy,
      usage: usageFields(agent.usage),
    }),
  ],
  ["get_messages", ({ agent }) => ({ messages: agent.session.messages.map(messageFields) })],
  [
    "get_models",
    async ({ models, agent }) => ({
      models: (await models.list())
        .filter(({ provider }) => provider === agent.model.provider)
        .map(({ id, provider, contextWindow, maxOutput, reasons }) => ({
          id,
          provider,
          context_window: contextWindow,
          max_output: maxOutput,
          reasoning: reasons,
        })),
    }),
  ],
  [
    "set_reasoning",
    ({ agent }, command) => {
      const level = REASONING_LEVELS.find((known) => known === textField(command, "reasoning"));
      if (level === undefined)
        throw new RpcError(`set_reasoning: reasoning must be one of ${REASONING_LEVELS.join(", ")}`);
      agent.setReasoning(level);
      return { reasoning: level };
    },
  ],
]);
