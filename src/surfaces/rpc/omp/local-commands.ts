import { REASONING_LEVELS } from "../../../llm/port.ts";
import type { RpcEngine } from "../engine.ts";
import { faultText, RpcError } from "../error.ts";
import type { Conversation } from "./conversation.ts";
import type { FrameWriter } from "./frame-writer.ts";
import { modelFields } from "./model-fields.ts";

/** A slash command of our own, which needs no model to run. */
export interface LocalCommand {
  readonly name: string;
  readonly description: string;
  readonly hint?: string;
  /** No extension can have this name. */
  readonly isReserved: boolean;
  /** Gives what is to be shown; "" for nothing. Throws `RpcError`. */
  run(args: string): Promise<string> | string;
}

export interface LocalCommandParts {
  readonly engine: RpcEngine;
  readonly writer: FrameWriter;
  readonly conversation: Conversation;
}

/** The commands that a client can type without a screen (rpc-wire.md §3.1, case 1). */
export function localCommands({ engine, writer, conversation }: LocalCommandParts): readonly LocalCommand[] {
  const { agent } = engine;
  return [
    { name: "usage", description: "tokens and cost so far", isReserved: false, run: () => usageText(engine) },
    {
      name: "rename",
      description: "name the session",
      hint: "<name>",
      isReserved: false,
      run: (name) => {
        if (name === "") throw new RpcError("/rename needs a name");
        conversation.rename(name);
        writer.event("session_info_update", { title: name, sessionId: conversation.id });
        return `Session renamed to ${name}.`;
      },
    },
    {
      name: "model",
      description: "show the model, or change it",
      hint: "[provider/model]",
      isReserved: true,
      run: async (args) => {
        if (args !== "") {
          await changeModel(engine, args);
          writer.event("config_update", { model: modelFields(agent.model), thinkingLevel: agent.reasoning });
        }
        return `Model: ${agent.model.provider}/${agent.model.id}`;
      },
    },
    {
      name: "reasoning",
      description: "show how hard the model thinks, or change it",
      hint: `[${REASONING_LEVELS.join("|")}]`,
      isReserved: true,
      run: (args) => {
        const level = REASONING_LEVELS.find((known) => known === args.toLowerCase());
        if (args !== "" && level === undefined)
          throw new RpcError(`/reasoning takes one of ${REASONING_LEVELS.join(", ")}`);
        if (level !== undefined) {
          agent.setReasoning(level);
          writer.event("config_update", { model: modelFields(agent.model), thinkingLevel: level });
        }
        return `Reasoning: ${agent.reasoning ?? "off"}`;
      },
    },
  ];
}

async function changeModel({ agent, models }: RpcEngine, name: string): Promise<void> {
  const slash = name.indexOf("/");
  const [provider, id] = slash < 0 ? [agent.model.provider, name] : [name.slice(0, slash), name.slice(slash + 1)];
  try {
    agent.setModel(await models.open(provider, id));
  } catch (error) {
    throw new RpcError(faultText(error));
  }
}

function usageText({ agent }: RpcEngine): string {
  const { input, output, cacheRead, cacheWrite, costUsd } = agent.usage;
  return [
    "Usage",
    `Input tokens: ${input}`,
    `Output tokens: ${output}`,
    `Cache read tokens: ${cacheRead}`,
    `Cache write tokens: ${cacheWrite}`,
    `Total tokens: ${input + output + cacheRead + cacheWrite}`,
    `Cost: $${costUsd.toFixed(6)}`,
  ].join("\n");
}
