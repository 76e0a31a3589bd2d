import type { Api, Model as ModelSpec, Provider } from "@earendil-works/pi-ai";
import { hasApi } from "@earendil-works/pi-ai/models";
import { LlmError } from "../error.ts";
import { nearest } from "../nearest.ts";

/** Defaults where one model is the obvious one; they are checked against the catalogue by a test. */
export const DEFAULT_MODELS: ReadonlyMap<string, string> = new Map([
  ["anthropic", "claude-sonnet-5-5"],
  ["deepseek", "deepseek-v4-pro"],
  ["google", "gemini-pro-latest"],
  ["groq", "openai/gpt-oss-120b"],
  ["mistral", "devstral-latest"],
  ["openai", "gpt-6.2-sol"],
  ["xai", "grok-4.7"],
]);

/** Answer tokens asked of a Messages model that the catalogue does not know: that protocol insists on a number. */
const UNKNOWN_MAX_TOKENS = 16_384;

export interface SpecifiedModel {
  readonly spec: ModelSpec<Api>;
  /** The catalogue knows its limits; otherwise they are 0 to the outside and none is sent where none is needed. */
  readonly isKnown: boolean;
}

/**
 * Finds what to call and how: a catalogued model, or, at a given address, any model at all.
 * @param baseUrl checked address without a trailing slash; undefined for the vendor's own
 * Throws `LlmError` "usage" when the model is unknown, naming near ones.
 */
export function specifyModel(provider: Provider, id: string | undefined, baseUrl: string | undefined): SpecifiedModel {
  const wanted = id ?? DEFAULT_MODELS.get(provider.id);
  const models = provider.getModels();
  if (wanted === undefined) throw new LlmError("usage", `${provider.name} has no default model${examples(models)}`);
  const prefix = `${provider.id}/`;
  const short = wanted.startsWith(prefix) ? wanted.slice(prefix.length) : wanted;
  const found = models.find((model) => model.id === wanted) ?? models.find((model) => model.id === short);
  if (baseUrl !== undefined) {
    const api =
      provider.id === "openai" ? "openai-completions" : (found?.api ?? models[0]?.api ?? "openai-completions");
    return {
      spec: elsewhere(found, { provider: provider.id, id: found?.id ?? short, api, baseUrl }),
      isKnown: !!found,
    };
  }
  if (found === undefined) throw unknownModel(provider, short, models);
  return { spec: plain(found), isKnown: true };
}

function examples(models: readonly ModelSpec<Api>[]): string {
  return `; choose one with --model, for example ${models
    .slice(0, 5)
    .map((model) => model.id)
    .join(", ")}`;
}

function unknownModel(provider: Provider, id: string, models: readonly ModelSpec<Api>[]): LlmError {
  const near = nearest(
    id,
    models.map((model) => model.id),
    5,
  );
  const hint = near.length === 0 ? examples(models) : `; did you mean ${near.join(", ")}?`;
  return new LlmError("usage", `${provider.name} has no model "${id}"${hint}`);
}

interface Address {
  readonly provider: string;
  readonly id: string;
  readonly api: Api;
  readonly baseUrl: string;
}

/** A model behind an address of the user's. What the catalogue knows of it holds, what only the vendor's own API has is off. */
function elsewhere(found: ModelSpec<Api> | undefined, address: Address): ModelSpec<Api> {
  const { api, baseUrl } = address;
  const isMessages = api === "anthropic-messages";
  const spec: ModelSpec<Api> = {
    name: found?.name ?? address.id,
    reasoning: found?.reasoning ?? false,
    input: found?.input ?? ["text", "image"],
    cost: found?.cost ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: found?.contextWindow ?? 0,
    maxTokens: found?.maxTokens ?? (isMessages ? UNKNOWN_MAX_TOKENS : 0),
    ...(found?.thinkingLevelMap === undefined ? {} : { thinkingLevelMap: found.thinkingLevelMap }),
    ...address,
    // The library adds `/v1` itself; people copy it along with the rest.
    baseUrl: isMessages ? baseUrl.replace(/\/v1$/, "") : baseUrl,
  };
  if (hasApi(spec, "anthropic-messages")) {
    const isAdaptive = found !== undefined && hasApi(found, api) && adaptive(found);
    spec.compat = { supportsEagerToolInputStreaming: false, ...(isAdaptive ? { forceAdaptiveThinking: true } : {}) };
  }
  if (hasApi(spec, "openai-completions")) {
    // Many compatible servers refuse what they do not know, and few know OpenAI's newer fields.
    spec.compat = { supportsStore: false, supportsDeveloperRole: false, maxTokensField: tokensField(baseUrl) };
  }
  return spec;
}

function adaptive(model: ModelSpec<Api>): boolean {
  return hasApi(model, "anthropic-messages") && model.compat?.forceAdaptiveThinking === true;
}

function tokensField(baseUrl: string): "max_tokens" | "max_completion_tokens" {
  return URL.parse(baseUrl)?.hostname === "api.openai.com" ? "max_completion_tokens" : "max_tokens";
}

/**
 * Turns off what a request of ours cannot use: we always send one leading system message with the whole tool list, so changes
 * in mid-conversation only bring beta headers and placeholder tools; and the user gets the model that was asked for, no other.
 */
function plain(model: ModelSpec<Api>): ModelSpec<Api> {
  if (hasApi(model, "anthropic-messages")) {
    const { allowedFallbackModels: _, ...compat } = model.compat ?? {};
    return {
      ...model,
      compat: {
        ...compat,
        supportsMidConvoEffort: false,
        supportsMidConvoSystemMessages: false,
        supportsMidConvoToolChanges: false,
      },
    };
  }
  if (hasApi(model, "openai-responses")) {
    return {
      ...model,
      compat: {
        ...model.compat,
        supportsAdditionalTools: false,
        supportsMidConvoEffort: false,
        supportsMidConvoSystemMessages: false,
        supportsToolSearch: false,
      },
    };
  }
  return model;
}
