import type { Provider } from "@earendil-works/pi-ai";

/**
 * The providers that take an API key, each behind its own `import()`: nobody loads the catalogue, let alone the client, of a
 * provider that is not used. Providers that need a login or more than a key are left out.
 */
const loaders: Readonly<Record<string, () => Promise<Provider>>> = {
  anthropic: async () => (await import("@earendil-works/pi-ai/providers/anthropic")).anthropicProvider(),
  "ant-ling": async () => (await import("@earendil-works/pi-ai/providers/ant-ling")).antLingProvider(),
  baseten: async () => (await import("@earendil-works/pi-ai/providers/baseten")).basetenProvider(),
  cerebras: async () => (await import("@earendil-works/pi-ai/providers/cerebras")).cerebrasProvider(),
  deepseek: async () => (await import("@earendil-works/pi-ai/providers/deepseek")).deepseekProvider(),
  fireworks: async () => (await import("@earendil-works/pi-ai/providers/fireworks")).fireworksProvider(),
  google: async () => (await import("@earendil-works/pi-ai/providers/google")).googleProvider(),
  groq: async () => (await import("@earendil-works/pi-ai/providers/groq")).groqProvider(),
  huggingface: async () => (await import("@earendil-works/pi-ai/providers/huggingface")).huggingfaceProvider(),
  "kimi-coding": async () => (await import("@earendil-works/pi-ai/providers/kimi-coding")).kimiCodingProvider(),
  meta: async () => (await import("@earendil-works/pi-ai/providers/meta")).metaProvider(),
  minimax: async () => (await import("@earendil-works/pi-ai/providers/minimax")).minimaxProvider(),
  mistral: async () => (await import("@earendil-works/pi-ai/providers/mistral")).mistralProvider(),
  moonshotai: async () => (await import("@earendil-works/pi-ai/providers/moonshotai")).moonshotaiProvider(),
  nvidia: async () => (await import("@earendil-works/pi-ai/providers/nvidia")).nvidiaProvider(),
  openai: async () => (await import("@earendil-works/pi-ai/providers/openai")).openaiProvider(),
  opencode: async () => (await import("@earendil-works/pi-ai/providers/opencode")).opencodeProvider(),
  openrouter: async () => (await import("@earendil-works/pi-ai/providers/openrouter")).openrouterProvider(),
  together: async () => (await import("@earendil-works/pi-ai/providers/together")).togetherProvider(),
  "vercel-ai-gateway": async () =>
    (await import("@earendil-works/pi-ai/providers/vercel-ai-gateway")).vercelAIGatewayProvider(),
  xai: async () => (await import("@earendil-works/pi-ai/providers/xai")).xaiProvider(),
  zai: async () => (await import("@earendil-works/pi-ai/providers/zai")).zaiProvider(),
};

/** Every provider id that `loadProvider` knows, in alphabetical order. */
export const providerIds: readonly string[] = Object.keys(loaders).sort();

/** Loads one provider's catalogue; undefined for an id that is not in `providerIds`. */
export async function loadProvider(id: string): Promise<Provider | undefined> {
  return Object.hasOwn(loaders, id) ? await loaders[id]?.() : undefined;
}
