import { loadProvider, providerIds } from "./pi/providers.ts";

/** One model of the catalogue, for a list. */
export interface ListedModel {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutput: number;
  readonly reasons: boolean;
  /** US dollars for a million tokens. */
  readonly inputPrice: number;
  readonly outputPrice: number;
}

/** The ids of all providers that `openModel` takes, besides `offline`. */
export function listProviders(): readonly string[] {
  return providerIds;
}

/** The catalogued models of one provider, in the catalogue's order; empty for an unknown provider. */
export async function listModels(provider: string): Promise<ListedModel[]> {
  const models = (await loadProvider(provider))?.getModels() ?? [];
  return models.map((model) => ({
    provider,
    id: model.id,
    name: model.name,
    contextWindow: model.contextWindow,
    maxOutput: model.maxTokens,
    reasons: model.reasoning,
    inputPrice: model.cost.input,
    outputPrice: model.cost.output,
  }));
}
