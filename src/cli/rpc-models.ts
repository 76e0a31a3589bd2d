import { OFFLINE } from "../llm/choose.ts";
import { LlmError } from "../llm/error.ts";
import { type ListedModel, listModels, listProviders } from "../llm/list.ts";
import { openModel } from "../llm/open.ts";
import type { Model, ModelChoice } from "../llm/port.ts";
import type { RpcModels } from "../surfaces/rpc/engine.ts";

/** The models that a client of a run can change to. `choice` is what the run was started with, `first` what it gave. */
export class RunModels implements RpcModels {
  readonly #choice: ModelChoice;
  readonly #provider: string;
  #usable: Promise<readonly string[]> | undefined;

  constructor(choice: ModelChoice, first: Model) {
    this.#choice = choice;
    this.#provider = first.provider;
  }

  open(provider: string, id: string): Promise<Model> {
    return openModel({ ...this.#choiceFor(provider), provider, model: id });
  }

  async list(): Promise<readonly ListedModel[]> {
    this.#usable ??= this.#withKey();
    const lists = await Promise.all((await this.#usable).map(listModels));
    return [...(this.#provider === OFFLINE ? [OFFLINE_MODEL] : []), ...lists.flat()];
  }

  /** The address and the key of the command line are meant for the provider of the command line. */
  #choiceFor(provider: string): ModelChoice {
    const { userAgent, env } = this.#choice;
    return provider === this.#provider ? this.#choice : { userAgent, env };
  }

  /** Providers that a request could be sent to; the environment does not change while we run. */
  async #withKey(): Promise<readonly string[]> {
    const verdicts = await Promise.all(
      listProviders().map(async (provider) => ({ provider, usable: await this.#hasKey(provider) })),
    );
    return verdicts.filter(({ usable }) => usable).map(({ provider }) => provider);
  }

  async #hasKey(provider: string): Promise<boolean> {
    if (provider === this.#provider) return true;
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
