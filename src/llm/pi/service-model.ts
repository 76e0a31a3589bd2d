import type { Api, AssistantMessageEvent, Model as ModelSpec, ProviderStreams } from "@earendil-works/pi-ai";
import { clampThinkingLevel } from "@earendil-works/pi-ai/models";
import { getOverflowPatterns } from "@earendil-works/pi-ai/utils/overflow";
import { normalizeContext } from "@earendil-works/pi-ai/utils/transcript";
import { LlmError } from "../error.ts";
import type { Model, ModelEvent, ModelRequest } from "../port.ts";
import { Answer } from "./answer.ts";
import type { Credentials } from "./credentials.ts";
import { errorLine } from "./error-text.ts";
import { Exchange } from "./exchange.ts";
import { translateHistory } from "./history.ts";
import { ChatInspector } from "./inspect-chat.ts";
import { MessagesInspector } from "./inspect-messages.ts";
import { OtherInspector } from "./inspect-other.ts";
import { ResponsesInspector } from "./inspect-responses.ts";
import type { StreamInspector } from "./inspector.ts";
import type { Service } from "./service-error.ts";
import { cutError } from "./service-error.ts";
import { translateTools } from "./tools.ts";

export interface ServiceModelOptions {
  readonly spec: ModelSpec<Api>;
  /** See `SpecifiedModel.isKnown`. */
  readonly isKnown: boolean;
  readonly streams: Pick<ProviderStreams, "streamSimple">;
  readonly credentials: Credentials;
  readonly userAgent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly idleTimeoutMs: number;
}

/** A model behind a network service. Keeps nothing between requests. */
export class ServiceModel implements Model {
  readonly provider: string;
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly reasons: boolean;
  readonly #options: ServiceModelOptions;
  readonly #service: Service;

  constructor(options: ServiceModelOptions) {
    const { spec, isKnown, credentials } = options;
    this.#options = options;
    this.provider = spec.provider;
    this.id = spec.id;
    this.contextWindow = isKnown ? spec.contextWindow : 0;
    this.maxOutput = isKnown ? spec.maxTokens : 0;
    this.reasons = spec.reasoning;
    const { host } = new URL(spec.baseUrl);
    this.#service = { provider: spec.provider, host, keySource: credentials.source, secrets: credentials.secrets };
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    if (signal.aborted) throw aborted();
    const inspector = inspectorFor(this.#options.spec.api, this.#service);
    const { env, credentials, idleTimeoutMs } = this.#options;
    const exchange = new Exchange({
      service: this.#service,
      env,
      inspector,
      idleMs: idleTimeoutMs,
      isKeyless: credentials.isKeyless,
    });
    const cancelled = Promise.withResolvers<never>();
    // The rejection is met by the race below, or by nobody when the answer has ended first.
    cancelled.promise.catch(() => undefined);
    const onAbort = (): void => {
      exchange.close();
      cancelled.reject(aborted());
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      const events = this.#events(request, exchange)[Symbol.asyncIterator]();
      const answer = this.#answer(request, inspector);
      for (;;) {
        const next = await Promise.race([events.next(), cancelled.promise]);
        if (next.done === true) throw cutError(this.#service, "the library ended the stream without a word");
        if (next.value.type === "error") throw this.#failure(exchange, inspector, next.value.error.errorMessage ?? "");
        yield* answer.translate(next.value);
        if (next.value.type === "done") return;
      }
    } finally {
      signal.removeEventListener("abort", onAbort);
      // Also when the consumer left early: nothing else would close the connection.
      exchange.close();
    }
  }

  #events(request: ModelRequest, exchange: Exchange): AsyncIterable<AssistantMessageEvent> {
    const { spec, credentials, userAgent, idleTimeoutMs, streams } = this.#options;
    const systemPrompt = request.systemPrompt.trim() === "" ? "" : request.systemPrompt.toWellFormed();
    const context = normalizeContext({
      systemPrompt,
      messages: translateHistory(request.messages, { provider: spec.provider, model: spec.id, api: spec.api }),
      tools: translateTools(request.tools),
    });
    const level = clampThinkingLevel(spec, request.reasoning ?? "off");
    return streams.streamSimple(spec, context, {
      ...(credentials.apiKey === undefined ? {} : { apiKey: credentials.apiKey }),
      headers: credentials.headers,
      fetch: exchange.fetch,
      identity: { userAgent: { custom: userAgent } },
      cacheRetention: "short",
      // Retries belong to the turn, which shows them.
      maxRetries: 0,
      // The exchange watches for silence; the library's own clock must never be the first to ring.
      timeoutMs: idleTimeoutMs * 2,
      ...(level === "off" ? {} : { reasoning: level }),
      ...(this.#options.isKnown ? {} : { onPayload: withoutUnknownLimit }),
    });
  }

  #answer(request: ModelRequest, inspector: StreamInspector): Answer {
    const takenIds = new Set(
      request.messages.flatMap((message) =>
        message.role === "assistant"
          ? message.content.flatMap((block) => (block.type === "tool_call" ? [block.id] : []))
          : [],
      ),
    );
    const { api, provider, id: model } = this.#options.spec;
    return new Answer({ api, provider, model, inspector, takenIds });
  }

  /** Why the library gave up. What the exchange saw outranks its words. */
  #failure(exchange: Exchange, inspector: StreamInspector, words: string): LlmError {
    if (exchange.failure !== undefined) return exchange.failure;
    const line = errorLine(words, this.#service.secrets);
    const text = errorLine(`${this.provider} (${this.#service.host}): ${line}`);
    // A complete answer that is still an error was ended by the service itself: a filter, a refusal.
    if (inspector.answered) return new LlmError("refused", text);
    if (getOverflowPatterns().some((pattern) => pattern.test(words))) return new LlmError("context_overflow", text);
    if (/\bended (before|without)\b/i.test(words)) return cutError(this.#service, line);
    return new LlmError("server", text);
  }
}

function aborted(): LlmError {
  return new LlmError("aborted", "the request was aborted");
}

function inspectorFor(api: string, service: Service): StreamInspector {
  if (api === "openai-completions") return new ChatInspector(service);
  if (api === "anthropic-messages") return new MessagesInspector(service);
  if (api === "openai-responses") return new ResponsesInspector(service);
  return new OtherInspector();
}

/** The library always sends a limit; for a model of unknown limits it would be a wrong one. */
function withoutUnknownLimit(payload: unknown, model: ModelSpec<Api>): unknown {
  if (model.api !== "openai-completions" || typeof payload !== "object" || payload === null) return undefined;
  const { max_tokens: _, max_completion_tokens: __, ...rest } = Object.fromEntries(Object.entries(payload));
  return rest;
}
