import { modelView } from "../../../agent/model-view.ts";
import type { RpcEngine } from "../engine.ts";

/** Characters that one token stands for, roughly, in all languages that code is written in. */
const CHARS_PER_TOKEN = 4;

/** How full the model's context is. */
export interface ContextUsage {
  readonly tokens: number;
  readonly contextWindow: number;
  /** 0 to 100. */
  readonly percent: number;
}

/** An estimate from what the next request would hold; undefined when the model's window is unknown. */
export function contextUsage(engine: RpcEngine): ContextUsage | undefined {
  const { agent } = engine;
  const { contextWindow } = agent.model;
  if (contextWindow <= 0) return undefined;
  const request = [engine.systemPrompt(), agent.tools, modelView(agent.session.messages, "")];
  const tokens = Math.ceil(JSON.stringify(request).length / CHARS_PER_TOKEN);
  return { tokens, contextWindow, percent: (tokens / contextWindow) * 100 };
}
