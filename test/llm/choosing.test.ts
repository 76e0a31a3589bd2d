import { describe, expect, test } from "bun:test";
import type { LlmError } from "../../src/llm/error.ts";
import { listModels, listProviders } from "../../src/llm/list.ts";
import { openModel } from "../../src/llm/open.ts";
import { DEFAULT_MODELS } from "../../src/llm/pi/model-spec.ts";
import { loadProvider, providerIds } from "../../src/llm/pi/providers.ts";
import type { ModelChoice } from "../../src/llm/port.ts";
import { startModelServer } from "../support/model-server.ts";
import { ask, failure, openAt, requestOf, VENDORS } from "./asking.ts";

const BOTH_KEYS = { ANTHROPIC_API_KEY: "a-key", OPENAI_API_KEY: "o-key" };

function open(choice: Partial<ModelChoice>): ReturnType<typeof openModel> {
  return openModel({ userAgent: "zot/test", env: BOTH_KEYS, ...choice });
}

async function chosen(choice: Partial<ModelChoice>): Promise<string> {
  const { provider, id } = await open(choice);
  return `${provider} ${id}`;
}

function refused(choice: Partial<ModelChoice>): Promise<LlmError> {
  return failure(open(choice));
}

describe("the model that is opened", () => {
  const anthropicDefault = `anthropic ${DEFAULT_MODELS.get("anthropic")}`;
  const openaiDefault = `openai ${DEFAULT_MODELS.get("openai")}`;
  const local = "http://127.0.0.1:1/v1";
  test.each([
    [{}, anthropicDefault],
    [{ env: { OPENAI_API_KEY: "k" } }, openaiDefault],
    [{ env: { ANTHROPIC_API_KEY: " ", OPENAI_API_KEY: "k" } }, openaiDefault],
    [{ provider: "OpenAI" }, openaiDefault],
    [{ model: "gpt-4.1" }, "openai gpt-4.1"],
    [{ model: "claude-sonnet-4-5" }, "anthropic claude-sonnet-4-5"],
    [{ model: "openai/gpt-4.1" }, "openai gpt-4.1"],
    [{ model: "anthropic/" }, anthropicDefault],
    [{ provider: "openai", model: "openai/gpt-4.1" }, "openai gpt-4.1"],
    [{ baseUrl: local }, openaiDefault],
    [{ baseUrl: local, model: "qwen/qwen3" }, "openai qwen/qwen3"],
    [{ baseUrl: local, model: "anthropic/mine" }, "anthropic mine"],
    [{ baseUrl: local, env: {} }, openaiDefault],
    [{ provider: "groq", apiKey: "k" }, `groq ${DEFAULT_MODELS.get("groq")}`],
    [
      { model: "openrouter/anthropic/claude-sonnet-4.5", env: { OPENROUTER_API_KEY: "k" } },
      "openrouter anthropic/claude-sonnet-4.5",
    ],
    [{ provider: "offline", env: {} }, "offline offline"],
    [{ model: "offline", env: {} }, "offline offline"],
    [{ model: "offline/offline", env: {} }, "offline offline"],
  ])("by %j is %s", async (choice, expected) => {
    expect(await chosen(choice)).toBe(expected);
  });

  test("has the limits of the catalogue, and none when it is unknown", async () => {
    const known = await open({ model: "claude-sonnet-4-5" });
    expect([known.contextWindow, known.maxOutput, known.reasons]).toEqual([200_000, 64_000, true]);
    const proxied = await open({ model: "anthropic/claude-sonnet-4-5", baseUrl: local });
    expect([proxied.contextWindow, proxied.maxOutput, proxied.reasons]).toEqual([200_000, 64_000, true]);
    const unknown = await open({ model: "mine", baseUrl: local });
    expect([unknown.contextWindow, unknown.maxOutput, unknown.reasons]).toEqual([0, 0, false]);
  });
});

describe("what cannot be opened says what to do", () => {
  test.each([
    [{ provider: "antropic" }, "usage", 'unknown provider "antropic"; did you mean anthropic?'],
    [{ provider: "zzz" }, "usage", "known: ant-ling, anthropic,"],
    [{ model: "opnai/gpt-4.1" }, "usage", "did you mean openai?"],
    [{ model: "claude-sonnet-4-55" }, "usage", "claude-sonnet-4-5"],
    [{ provider: "openai", model: "gtp-4.1" }, "usage", "gpt-4.1"],
    [{ provider: "openai", model: "qqqqqqqqqqqqqqqqqqqqqq" }, "usage", "choose one with --model, for example"],
    [{ provider: "zai", apiKey: "k" }, "usage", "choose one with --model, for example glm"],
    [{ provider: "offline", model: "big" }, "usage", "leave out --model big"],
    [{ baseUrl: "localhost:8080", provider: "openai" }, "usage", "not an http or https address"],
    [{ baseUrl: "nonsense", provider: "openai" }, "usage", "--base-url nonsense"],
    [{ env: {} }, "auth", "ANTHROPIC_API_KEY or OPENAI_API_KEY"],
    [
      { env: {}, provider: "anthropic" },
      "auth",
      "set ANTHROPIC_API_KEY or pass --api-key; --provider offline needs none",
    ],
    [{ env: {}, provider: "openai" }, "auth", "set OPENAI_API_KEY or pass --api-key; --provider offline needs none"],
    [{ env: {}, provider: "google" }, "auth", "set GEMINI_API_KEY or pass --api-key"],
    [{ env: {}, provider: "openai", baseUrl: "https://model.example/v1" }, "auth", "OPENAI_API_KEY"],
    [{ env: { ANTHROPIC_OAUTH_TOKEN: "sk-ant-oat-1" }, provider: "anthropic" }, "auth", "set ANTHROPIC_API_KEY"],
    [{ apiKey: "sk-ant-oat-123456", provider: "anthropic" }, "auth", "needs an API key"],
    [{ apiKey: "sk-ant-o\nat-secret", provider: "anthropic" }, "auth", "a line break"],
    [{ env: { OPENAI_API_KEY: "sk-é-secret" }, provider: "openai" }, "auth", "OPENAI_API_KEY or --api-key holds"],
  ] as const)("%j", async (choice, code, text) => {
    const error = await refused(choice);
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
    expect(error.message).not.toMatch(/sk-ant-oat|secret/);
  });
});

test("every default model and every provider is in the catalogue", async () => {
  for (const [provider, id] of DEFAULT_MODELS) {
    const ids = (await loadProvider(provider))?.getModels().map((model) => model.id);
    expect(ids).toContain(id);
  }
  for (const id of providerIds) expect((await loadProvider(id))?.id).toBe(id);
  expect(await loadProvider("__proto__")).toBeUndefined();
});

test("the catalogue can be listed", async () => {
  expect(listProviders()).toContain("groq");
  const [model] = (await listModels("anthropic")).filter(({ id }) => id === "claude-sonnet-4-5");
  expect(model).toMatchObject({ provider: "anthropic", contextWindow: 200_000, maxOutput: 64_000, reasons: true });
  expect(model?.outputPrice).toBeGreaterThan(model?.inputPrice ?? 0);
  expect(await listModels("nobody")).toEqual([]);
});

describe("a request for a model", () => {
  test("at a loopback address goes without a key when there is none", async () => {
    for (const vendor of VENDORS) {
      await using server = await startModelServer([{ text: "free" }]);
      const model = await openAt(server, vendor, { env: {}, apiKey: "" });
      expect((await ask(model)).text).toBe("free");
      expect(server.requests[0]?.headers["authorization"]).toBeUndefined();
      expect(server.requests[0]?.headers["x-api-key"]).toBeUndefined();
    }
  });

  test("uses the key of the environment, and a bearer token where the vendor has one", async () => {
    await using server = await startModelServer([{ text: "a" }, { text: "b" }, { text: "c" }]);
    await ask(await openAt(server, "openai", { env: BOTH_KEYS, apiKey: "" }));
    await ask(await openAt(server, "anthropic", { env: BOTH_KEYS, apiKey: "" }));
    await ask(await openAt(server, "anthropic", { env: { ANTHROPIC_AUTH_TOKEN: "token-1" }, apiKey: "" }));
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer o-key");
    expect(server.requests[1]?.headers["x-api-key"]).toBe("a-key");
    expect(server.requests[2]?.headers["authorization"]).toBe("Bearer token-1");
    expect(server.requests[2]?.headers["x-api-key"]).toBeUndefined();
  });

  test("finds the path whether or not the address ends in a slash or in Anthropic's /v1", async () => {
    await using server = await startModelServer([{ text: "a" }, { text: "b" }]);
    await ask(await openAt(server, "openai", { baseUrl: `${server.url("openai")}/` }));
    await ask(await openAt(server, "anthropic", { baseUrl: `${server.url("anthropic")}/v1/` }));
    expect(server.requests.map((request) => request.path)).toEqual(["/v1/chat/completions", "/v1/messages"]);
  });

  test("of unknown limits sends none that could be wrong", async () => {
    await using server = await startModelServer([{ text: "a" }, { text: "b" }, { text: "c" }]);
    await ask(await openAt(server, "openai"));
    await ask(await openAt(server, "anthropic"));
    await ask(await openAt(server, "openai", { model: "gpt-4.1" }));
    expect(server.requests[0]?.at("max_tokens")).toBeUndefined();
    expect(server.requests[0]?.at("max_completion_tokens")).toBeUndefined();
    expect(server.requests[0]?.at("store")).toBeUndefined();
    expect(server.requests[1]?.at("max_tokens")).toBe(16_384);
    expect(server.requests[2]?.at("max_tokens")).toBe(32_768);
  });

  test("clamps reasoning to what the model can", async () => {
    await using server = await startModelServer(Array.from({ length: 6 }, () => ({ text: "a" })));
    const chat = await openAt(server, "openai", { model: "gpt-5" });
    for (const reasoning of ["low", "max", "off"] as const) await ask(chat, "hi", { reasoning });
    await ask(await openAt(server, "openai", { model: "gpt-4.1" }), "hi", { reasoning: "high" });
    expect(server.requests.map((request) => request.at("reasoning_effort"))).toEqual([
      "low",
      "high",
      "minimal",
      undefined,
    ]);
    await ask(await openAt(server, "anthropic", { model: "claude-sonnet-4-5" }), "hi", { reasoning: "low" });
    await ask(await openAt(server, "anthropic", { model: "claude-sonnet-4-5" }), "hi", {});
    expect(server.requests[4]?.at("thinking.type")).toBe("enabled");
    expect(server.requests[5]?.at("thinking.type")).toBe("disabled");
  });

  test("is the same whatever the environment of this process says of the library", async () => {
    await using server = await startModelServer([{ text: "a" }, { text: "b" }]);
    const model = await openAt(server, "anthropic");
    await ask(model);
    process.env["PI_CACHE_RETENTION"] = "long";
    try {
      await ask(model, requestOf("hi").messages);
    } finally {
      delete process.env["PI_CACHE_RETENTION"];
    }
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body ?? "");
  });
});
