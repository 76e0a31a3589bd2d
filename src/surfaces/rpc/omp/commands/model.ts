import { LlmError } from "../../../../llm/error.ts";
import { REASONING_LEVELS, type ReasoningLevel } from "../../../../llm/port.ts";
import { RpcError } from "../../error.ts";
import { textField } from "../../fields.ts";
import type { Handlers, OmpContext } from "../context.ts";
import { listedFields, modelFields } from "../model-fields.ts";

/** Which model, and how hard it thinks. */
export const modelCommands: Handlers = {
  set_model: async (context, command) => {
    const provider = textField(command, "provider");
    const id = textField(command, "modelId");
    await changeModel(context, provider, id);
    return modelFields(context.engine.agent.model);
  },

  cycle_model: async (context) => {
    const { agent, models } = context.engine;
    const offered = (await models.list()).filter(({ provider }) => provider === agent.model.provider);
    const at = offered.findIndex(({ id }) => id === agent.model.id);
    const next = offered[(at + 1) % Math.max(1, offered.length)];
    if (next === undefined || next.id === agent.model.id) return null;
    await changeModel(context, next.provider, next.id);
    return { model: modelFields(agent.model), thinkingLevel: agent.reasoning, isScoped: false };
  },

  get_available_models: async ({ engine }) => ({ models: (await engine.models.list()).map(listedFields) }),

  set_thinking_level: (context, command) => {
    const level = textField(command, "level");
    if (level !== "inherit" && !isLevel(level)) {
      throw new RpcError(`level must be inherit or one of ${REASONING_LEVELS.join(", ")}`);
    }
    setLevel(context, level === "inherit" ? undefined : level);
    return undefined;
  },

  cycle_thinking_level: (context) => {
    const levels = levelsOf(context);
    if (levels.length < 2) return null;
    const at = levels.indexOf(context.engine.agent.reasoning ?? "off");
    const level = levels[(at + 1) % levels.length] ?? "off";
    setLevel(context, level);
    return { level };
  },

  get_available_thinking_levels: (context) => ({ levels: levelsOf(context) }),
};

async function changeModel({ engine, gate }: OmpContext, provider: string, id: string): Promise<void> {
  try {
    engine.agent.setModel(await engine.models.open(provider, id));
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    // A model without a key exists; whoever asks for it must be told what is missing.
    throw new RpcError(error.code === "usage" ? `Model not found: ${provider}/${id}` : error.message);
  }
  gate.emit("model_changed");
}

function setLevel({ engine, gate }: OmpContext, level: ReasoningLevel | undefined): void {
  engine.agent.setReasoning(level);
  gate.emit("thinking_level_changed", { thinkingLevel: level, configured: level, resolved: level });
}

/** What a model can do is known to its adapter, which takes the nearest it has. */
function levelsOf({ engine }: OmpContext): readonly ReasoningLevel[] {
  return engine.agent.model.reasons ? REASONING_LEVELS : ["off"];
}

function isLevel(level: string): level is ReasoningLevel {
  return REASONING_LEVELS.some((known) => known === level);
}
