import type { ListedModel } from "../../../llm/list.ts";
import type { Model } from "../../../llm/port.ts";
import { API } from "./message.ts";

/** A model as the client gets it: the part of the record that readers use (rpc-wire.md §2.1). */
export interface ModelFields {
  readonly id: string;
  readonly name: string;
  readonly api: string;
  readonly provider: string;
  readonly baseUrl: string;
  readonly reasoning: boolean;
  readonly input: readonly string[];
  /** US dollars for a million tokens. */
  readonly cost: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
  /** Tokens; null when unknown. */
  readonly contextWindow: number | null;
  readonly maxTokens: number | null;
}

/** The open model. */
export function modelFields({ provider, id, reasons, contextWindow, maxOutput }: Model): ModelFields {
  return fieldsOf({ provider, id, name: id, reasons, contextWindow, maxOutput, inputPrice: 0, outputPrice: 0 });
}

/** A model of the catalogue. */
export function listedFields(model: ListedModel): ModelFields {
  return fieldsOf(model);
}

function fieldsOf(model: ListedModel): ModelFields {
  return {
    id: model.id,
    name: model.name,
    api: API,
    provider: model.provider,
    // Where requests go is between the user and the command line.
    baseUrl: "",
    reasoning: model.reasons,
    input: ["text", "image"],
    cost: { input: model.inputPrice, output: model.outputPrice, cacheRead: 0, cacheWrite: 0 },
    contextWindow: model.contextWindow || null,
    maxTokens: model.maxOutput || null,
  };
}
