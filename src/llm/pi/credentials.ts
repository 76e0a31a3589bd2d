import type { Provider } from "@earendil-works/pi-ai";
import { LlmError } from "../error.ts";
import type { ModelChoice } from "../port.ts";
import { isLoopback } from "./proxy.ts";

export interface Credentials {
  /** Undefined when `headers` carry the authorisation. */
  readonly apiKey: string | undefined;
  readonly headers: Readonly<Record<string, string | null>>;
  /** How the user sets the key, for messages. */
  readonly source: string;
  readonly secrets: readonly string[];
  /** No key was found, and the address may do without: nothing is sent. */
  readonly isKeyless: boolean;
}

/**
 * Variables that are left alone although the library knows them: a subscription token makes it pose as another program, and
 * federation makes it ask for tokens at another address.
 */
const IGNORED_VARIABLES = /^ANTHROPIC_(OAUTH_TOKEN|FEDERATION_|IDENTITY_|ORGANIZATION_|SERVICE_|WORKSPACE_)/;

/** With such a token in place of a key the library would introduce itself as the program that it was issued to. */
const SUBSCRIPTION_TOKEN = "sk-ant-oat";

/** What a header carries as it is. Anything else would be refused by our own runtime, and look like a fault of the service. */
const SENDABLE = /^[\x21-\x7e]*$/;

/**
 * The key for a provider: the given one, else the provider's own variables. A loopback address needs none.
 * Throws `LlmError` "auth" naming the variable and the flag when there is none, or none that could be sent.
 */
export async function credentialsFor(
  provider: Provider,
  choice: ModelChoice,
  baseUrl: string | undefined,
): Promise<Credentials> {
  const asked: string[] = [];
  const given = choice.apiKey?.trim();
  const result = await provider.auth.apiKey?.resolve({
    ctx: {
      env: async (name) => {
        if (IGNORED_VARIABLES.test(name)) return undefined;
        asked.push(name);
        return choice.env[name]?.trim();
      },
      fileExists: async () => false,
    },
    ...(given === undefined || given === "" ? {} : { credential: { type: "api_key", key: given } }),
    signal: new AbortController().signal,
  });
  const variable = asked.find((name) => name.endsWith("_KEY")) ?? asked[0];
  const source = result?.source?.startsWith("stored") === true ? "--api-key" : orFlag(result?.source ?? variable);
  const apiKey = result?.auth.apiKey;
  const headers = result?.auth.headers ?? {};
  const secrets = [apiKey, ...Object.values(headers)].flatMap((text) => text?.split(" ").at(-1) ?? []);
  if (apiKey?.includes(SUBSCRIPTION_TOKEN) === true) {
    throw new LlmError(
      "auth",
      `${source} holds a subscription token of another program; ${provider.name} needs an API key`,
    );
  }
  if ([apiKey ?? "", ...secrets].some((secret) => !SENDABLE.test(secret))) {
    const text = `${source} holds a character that no API key has (a blank, a line break, a letter with an accent); copy it again`;
    throw new LlmError("auth", text);
  }
  if (secrets.length > 0) return { apiKey, headers, source, secrets, isKeyless: false };
  if (baseUrl !== undefined && isLoopback(new URL(baseUrl).hostname)) {
    // The library insists on a key; it is taken out again before anything is sent.
    return { apiKey: "none", headers, source, secrets, isKeyless: true };
  }
  const text = `no API key for ${provider.name}: set ${variable ?? "its key variable"} or pass --api-key; --provider offline needs none`;
  throw new LlmError("auth", text);
}

function orFlag(variable: string | undefined): string {
  return variable === undefined ? "--api-key" : `${variable} or --api-key`;
}
