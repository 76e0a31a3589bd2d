import { LlmError } from "../error.ts";
import { answerPieces, errorBody } from "./answer-body.ts";
import { reasonOf } from "./error-text.ts";
import type { StreamInspector } from "./inspector.ts";
import { routeFor } from "./proxy.ts";
import { connectionError, cutError, redirectError, type Service, statusError } from "./service-error.ts";
import { SilenceWatch } from "./silence.ts";
import { SseOverflow } from "./sse.ts";

/** Silence, in ms, that is waited out once the answer is complete, for the token counts that may follow. */
const AFTER_ANSWER_MS = 5_000;

export interface ExchangeOptions {
  readonly service: Service;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly inspector: StreamInspector;
  /** ms of silence after which the connection counts as dead. */
  readonly idleMs: number;
  /** No key was given, and the address is one that may do without. */
  readonly isKeyless: boolean;
}

type FetchInput = string | URL | Request;

/**
 * One HTTP exchange with a model service, from the request to the end of the answer. It gives the library a `fetch` and keeps
 * for itself what the library would lose: why it failed (`failure`), whether the answer was whole, and the only handle that
 * closes the connection.
 */
export class Exchange {
  /** The first thing that went wrong, in our own terms; it outranks whatever the library makes of it. */
  failure: LlmError | undefined;
  readonly #options: ExchangeOptions;
  readonly #abort = new AbortController();
  readonly #silence: SilenceWatch;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { idleMs, inspector } = options;
    this.#silence = new SilenceWatch(
      () => (inspector.answered ? Math.min(idleMs, AFTER_ANSWER_MS) : idleMs),
      () => this.#abort.abort(),
    );
  }

  /** Aborts when the exchange is closed; for everything that works on its behalf. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Closes the connection at once; harmless when it is closed already. */
  close(): void {
    this.#silence.stop();
    this.#abort.abort();
  }

  /** What the library uses in place of the global `fetch`. */
  readonly fetch: typeof globalThis.fetch = Object.assign(
    (input: FetchInput, init?: RequestInit) => this.#request(input, init),
    { preconnect: globalThis.fetch.preconnect },
  );

  async #request(input: FetchInput, init: RequestInit = {}): Promise<Response> {
    const { service, env } = this.#options;
    let via = "";
    try {
      const route = routeFor(new URL(input instanceof Request ? input.url : input), env);
      via = route.description;
      const response = await this.#silence.during(() => this.#send(input, init, route.proxy));
      return await this.#answer(response);
    } catch (cause) {
      throw this.#fail(cause, () => connectionError(service, cause, via));
    }
  }

  #send(input: FetchInput, init: RequestInit, proxy: string | false): Promise<Response> {
    const headers = new Headers(init.headers);
    // The vendors' libraries describe the machine in these; nobody asked the user.
    for (const name of [...headers.keys()]) if (name.startsWith("x-stainless-")) headers.delete(name);
    if (this.#options.isKeyless) for (const name of ["authorization", "x-api-key"]) headers.delete(name);
    // The runtime's own idle limit is off: it would end the connection with words of its own.
    return fetch(input, { ...init, headers, proxy, signal: this.signal, redirect: "manual", timeout: false });
  }

  async #answer(response: Response): Promise<Response> {
    const { service, inspector } = this.#options;
    const { status, headers, body } = response;
    if (status >= 300 && status < 400) throw redirectError(service, status, headers.get("location"));
    if (!response.ok || body === null) {
      const said = body === null ? "" : await errorBody(body.getReader(), this.#silence);
      throw statusError(service, status, headers, said);
    }
    const isEventStream = /event-stream/i.test(headers.get("content-type") ?? "");
    if (!inspector.knowsEnd && !isEventStream) return response;
    return new Response(this.#bodyOf(body), { status, headers });
  }

  #bodyOf(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const { service, inspector } = this.#options;
    const pieces = answerPieces(body.getReader(), { service, inspector, silence: this.#silence });
    const encoder = new TextEncoder();
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        try {
          const { value, done } = await pieces.next();
          if (!done) return controller.enqueue(encoder.encode(value));
          // A service may hold the connection open after the last event; it is of no more use.
          this.close();
          controller.close();
        } catch (cause) {
          controller.error(this.#fail(cause, () => cutError(service, reasonOf(cause), cause)));
        }
      },
      cancel: () => this.close(),
    });
  }

  /** Keeps the first failure and returns it; `describe` words a cause that is not ours. */
  #fail(cause: unknown, describe: () => LlmError): LlmError {
    this.failure ??= this.#inOurTerms(cause, describe);
    return this.failure;
  }

  #inOurTerms(cause: unknown, describe: () => LlmError): LlmError {
    const { service } = this.#options;
    if (cause instanceof LlmError) return cause;
    const silentMs = this.#silence.brokenAfterMs;
    if (silentMs !== undefined) return cutError(service, `nothing came for ${silentMs / 1000} s`, cause);
    if (this.signal.aborted) return new LlmError("aborted", "the request was aborted", { cause });
    if (cause instanceof SseOverflow) return new LlmError("server", `${service.provider}: ${cause.message}`, { cause });
    return describe();
  }
}
