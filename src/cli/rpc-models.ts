import type { Models } from "../llm/accounts/models.ts";
import { OFFLINE } from "../llm/choose.ts";
import { LlmError } from "../llm/error.ts";
import { type ListedModel, listModels, listProviders } from "../llm/list.ts";
import type { Model } from "../llm/port.ts";
import type { RpcModels } from "../surfaces/rpc/engine.ts";

/** The models that a client of a run can change to. */
export class RunModels implements RpcModels {
  readonly #models: Models;
  /** Of the model that the run began with: its address may need no key. */
  readonly #first: string;
  #providers: Promise<readonly string[]> | undefined;

  constructor(models: Models, first: Model) {
    this.#models = models;
    this.#first = first.provider;
  }

  open(provider: string, id: string): Promise<Model> {
    return this.#models.open(provider, id);
  }

  async list(): Promise<readonly ListedModel[]> {
    const lists = await Promise.all((await this.providers()).map(listModels));
    return [...(this.#first === OFFLINE ? [OFFLINE_MODEL] : []), ...lists.flat()];
  }

  /** Those that a request could be sent to. */
  providers(): Promise<readonly string[]> {
    this.#providers ??= this.#usable();
    return this.#providers;
  }

  /** Keys came or went. */
  forget(): void {
    this.#providers = undefined;
  }

  async #usable(): Promise<readonly string[]> {
    const providers = listProviders();
    const isUsable = await Promise.all(providers.map((provider) => this.#hasKey(provider)));
    return providers.filter((_provider, index) => isUsable[index] === true);
  }

  async #hasKey(provider: string): Promise<boolean> {
    if (provider === this.#first) return true;
    const [known] = await listModels(provider);
    if (known === undefined) return false;
    try {
      await this.open(provider, known.id);
      return true;
    } catch (error) {
      // No key, or one that is not for this: the provider is simply not offered.
      if (error instanceof LlmError) return false;
      throw error;
    }
  }
}

const OFFLINE_MODEL: ListedModel = {
  provider: OFFLINE,
  id: OFFLINE,
  name: "Offline rehearsal model",
  contextWindow: 0,
  maxOutput: 0,
  reasons: false,
  inputPrice: 0,
  outputPrice: 0,
};
