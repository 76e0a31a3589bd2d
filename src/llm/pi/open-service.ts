import type { Provider, ProviderStreams } from "@earendil-works/pi-ai";
import type { ChosenModel } from "../choose.ts";
import { LlmError } from "../error.ts";
import type { OpenModelOptions } from "../open.ts";
import type { Model, ModelChoice } from "../port.ts";
import { credentialsFor } from "./credentials.ts";
import { specifyModel } from "./model-spec.ts";
import { loadProvider } from "./providers.ts";
import { ServiceModel } from "./service-model.ts";
import { IDLE_TIMEOUT_MS } from "./silence.ts";

/** Opens a model behind a network service. Throws `LlmError` "usage" or "auth". */
export async function openService(
  chosen: ChosenModel,
  choice: ModelChoice,
  options: OpenModelOptions = {},
): Promise<Model> {
  const provider = await loadProvider(chosen.provider);
  if (provider === undefined) throw new LlmError("usage", `unknown provider "${chosen.provider}"`);
  const baseUrl = usableAddress(choice.baseUrl);
  const { spec, isKnown } = specifyModel(provider, chosen.model, baseUrl);
  return new ServiceModel({
    spec,
    isKnown,
    streams: await streamsFor(provider, spec.api),
    credentials: await credentialsFor(provider, choice, baseUrl),
    userAgent: choice.userAgent,
    env: choice.env,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
  });
}

/** OpenAI's own catalogue speaks Responses; its compatible servers speak Chat Completions, which it does not offer. */
async function streamsFor(provider: Provider, api: string): Promise<Pick<ProviderStreams, "streamSimple">> {
  if (provider.id !== "openai" || api !== "openai-completions") return provider;
  const { openAICompletionsApi } = await import("@earendil-works/pi-ai/api/openai-completions.lazy");
  return openAICompletionsApi();
}

function usableAddress(baseUrl: string | undefined): string | undefined {
  const given = baseUrl?.trim();
  if (given === undefined || given === "") return undefined;
  const url = URL.parse(given);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new LlmError("usage", `--base-url ${given} is not an http or https address`);
  }
  return given.replace(/\/+$/, "");
}
