import { namesModel, OFFLINE } from "../choose.ts";
import { LlmError } from "../error.ts";
import { type ListedModel, listModels, listProviders } from "../list.ts";
import { openModel } from "../open.ts";
import type { Model, ModelChoice } from "../port.ts";
import type { AuthFile } from "./auth-file.ts";

/** A model to choose, and whether a request could be sent to it. */
export interface ModelOffer {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly contextWindow: number;
}

export interface ModelsOptions {
  /** What the command line, or else the settings, ask for. */
  readonly choice: ModelChoice;
  readonly auth: AuthFile;
}

/** What became of trying a key. `unknown`: the service could not be asked, or answered with something else. */
export type ProbeVerdict =
  | { readonly kind: "taken" }
  | { readonly kind: "refused" | "unknown"; readonly reason: string };

const PROBE_DEADLINE_MS = 15_000;

/** The models that can be talked to, with the keys of the command line, the environment and the auth file, in that order (§8.6). */
export class Models {
  readonly #choice: ModelChoice;
  readonly #auth: AuthFile;

  constructor({ choice, auth }: ModelsOptions) {
    this.#choice = choice;
    this.#auth = auth;
  }

  /** Whether a provider, a model or an address was asked for. */
  get isNamed(): boolean {
    return namesModel(this.#choice);
  }

  /** The model that a run begins with. Throws `LlmError`. */
  async first(): Promise<Model> {
    try {
      return await openModel(this.#choice);
    } catch (error) {
      if (!(error instanceof LlmError) || error.code !== "auth") throw error;
      const [provider] =
        this.#choice.provider === undefined ? this.#auth.withKey(listProviders()) : [this.#choice.provider];
      const key = provider === undefined ? undefined : this.#auth.key(provider);
      if (provider === undefined || key === undefined) throw this.#withFault(error);
      return await this.#openDefault({ ...this.#choice, provider, apiKey: key });
    }
  }

  /** The model of a provider that is used when none is named. Throws `LlmError`. */
  async openDefault(provider: string): Promise<Model> {
    const key = this.#auth.key(provider);
    return this.#openDefault({ ...this.#choiceFor(provider), provider, ...(key === undefined ? {} : { apiKey: key }) });
  }

  /** Throws `LlmError`. */
  async open(provider: string, id: string): Promise<Model> {
    const choice = { ...this.#choiceFor(provider), provider, model: id };
    try {
      return await openModel(choice);
    } catch (error) {
      const key = this.#auth.key(provider);
      if (!(error instanceof LlmError) || error.code !== "auth" || key === undefined) throw error;
      return await openModel({ ...choice, apiKey: key });
    }
  }

  /** Everything that has a key, and the offline model. */
  async offers(): Promise<ModelOffer[]> {
    const lists = await Promise.all(listProviders().map((provider) => this.#offersOf(provider)));
    return [
      ...lists.flat(),
      { provider: OFFLINE, id: OFFLINE, name: "rehearsal, no network, no key", contextWindow: 0 },
    ];
  }

  /** Asks the service for one word to see whether it takes this key. */
  async probe(provider: string, key: string): Promise<ProbeVerdict> {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), PROBE_DEADLINE_MS);
    try {
      const opened = await this.#openDefault({ ...this.#choiceFor(provider), provider, apiKey: key });
      const request = { systemPrompt: "", messages: [hello()], tools: [] };
      for await (const _event of opened.stream(request, abort.signal)) break;
      return { kind: "taken" };
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      // Anything but a refusal of the key (no network, no credit, a model that is not ours) says nothing about the key.
      return { kind: error.code === "auth" ? "refused" : "unknown", reason: error.message };
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
  }

  /** The obvious model, else the first of the catalogue. */
  async #openDefault(choice: ModelChoice & { readonly provider: string }): Promise<Model> {
    try {
      return await openModel(choice);
    } catch (error) {
      const [first] = choice.model === undefined ? await listModels(choice.provider) : [];
      if (!(error instanceof LlmError) || error.code !== "usage" || first === undefined) throw error;
      return await openModel({ ...choice, model: first.id });
    }
  }

  /** The key may well be in the file, if only it could be read. */
  #withFault(error: LlmError): LlmError {
    const { fault } = this.#auth;
    if (fault === undefined) return error;
    return new LlmError(error.code, `${error.message}\nsaved keys cannot be read: ${fault}`, { cause: error });
  }

  async #offersOf(provider: string): Promise<readonly ListedModel[]> {
    const models = await listModels(provider);
    const [first] = models;
    if (first === undefined) return [];
    try {
      await this.open(provider, first.id);
      return models;
    } catch (error) {
      // No key: it is not offered.
      if (error instanceof LlmError) return [];
      throw error;
    }
  }

  /** The address and the key of the command line are meant for the provider of the command line. */
  #choiceFor(provider: string): ModelChoice {
    const { userAgent, env } = this.#choice;
    return provider === this.#choice.provider ? this.#choice : { userAgent, env };
  }
}

function hello() {
  return { role: "user", content: [{ type: "text", text: "Say hi." }], time: Date.now() } as const;
}
