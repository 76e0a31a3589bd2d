import { LlmError } from "./error.ts";
import { didYouMean } from "./nearest.ts";
import { providerIds } from "./pi/providers.ts";
import type { ModelChoice } from "./port.ts";

/** The provider id of the rehearsal model, and the id of its only model. */
export const OFFLINE = "offline";

/** A provider that exists, and the model asked of it; undefined leaves the model to the provider's default. */
export interface ChosenModel {
  readonly provider: string;
  readonly model: string | undefined;
}

/** Providers that are tried when none is named, in this order, and the variable that speaks for each. */
const BY_KEY = [
  { provider: "anthropic", variable: "ANTHROPIC_API_KEY", models: /^claude/i },
  { provider: "openai", variable: "OPENAI_API_KEY", models: /^(gpt|chatgpt|codex|o\d)/i },
];

/** Whether a provider, a model or an address is asked for. */
export function namesModel({ provider, model, baseUrl }: ModelChoice): boolean {
  return provider !== undefined || model !== undefined || baseUrl !== undefined;
}

/**
 * Decides which provider is meant by flags and environment, without loading anything.
 * Throws `LlmError` "usage" for a provider that does not exist and "auth" when nothing points to any.
 */
export function chooseModel(choice: ModelChoice): ChosenModel {
  const model = blankToNothing(choice.model);
  const provider = blankToNothing(choice.provider)?.toLowerCase();
  if (provider !== undefined) return { provider: known(provider), model };
  if (model === OFFLINE) return { provider: OFFLINE, model };
  const prefix = model?.includes("/") === true ? model.slice(0, model.indexOf("/")).toLowerCase() : undefined;
  if (model !== undefined && prefix !== undefined && exists(prefix)) {
    return { provider: prefix, model: blankToNothing(model.slice(prefix.length + 1)) };
  }
  // A bare address is a compatible server, and those speak OpenAI's protocol.
  if (blankToNothing(choice.baseUrl) !== undefined) return { provider: "openai", model };
  if (prefix !== undefined) return { provider: known(prefix), model };
  return { provider: byKey(choice, model), model };
}

function blankToNothing(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === "" ? undefined : trimmed;
}

function exists(provider: string): boolean {
  return provider === OFFLINE || providerIds.includes(provider);
}

function known(provider: string): string {
  if (exists(provider)) return provider;
  const all = [...providerIds, OFFLINE];
  const hint = didYouMean(provider, all);
  throw new LlmError("usage", `unknown provider "${provider}"${hint === "" ? `; known: ${all.join(", ")}` : hint}`);
}

function byKey(choice: ModelChoice, model: string | undefined): string {
  const wanted = BY_KEY.find(({ models }) => model !== undefined && models.test(model));
  if (wanted !== undefined) return wanted.provider;
  const withKey = BY_KEY.find(({ variable }) => blankToNothing(choice.env[variable]) !== undefined);
  if (withKey !== undefined) return withKey.provider;
  const variables = BY_KEY.map(({ variable }) => variable).join(" or ");
  const text = `no model to talk to: set ${variables}, or name one with --provider and --api-key; --provider offline needs no key`;
  throw new LlmError("auth", text);
}
