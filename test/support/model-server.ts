import { createServer, type Server, type Socket } from "node:net";
import { Answer, replyWith, wrapped } from "./model-server/answer.ts";
import { chatEvents } from "./model-server/chat.ts";
import type { WireEvent } from "./model-server/events.ts";
import { type HttpRequest, readRequest } from "./model-server/http.ts";
import { messagesEvents } from "./model-server/messages.ts";
import { responsesEvents } from "./model-server/responses.ts";
import { problemsOf } from "./model-server/strict.ts";
import type { Protocol, Turn } from "./model-server/turn.ts";
import { at } from "./model-server/value.ts";

export type { Turn } from "./model-server/turn.ts";

/** A turn, or a function that makes one from the request. */
export type Script = Turn | ((request: RecordedRequest) => Turn | Promise<Turn>);

export interface ModelServerOptions {
  /** Answers 400 to what the real services refuse; otherwise it is only noted in `problems`. */
  readonly strict?: boolean;
  /** Serves requests that come after the last turn; a 400 that says so when left out. */
  readonly exhausted?: Turn;
}

/** One model request as the server saw it. */
export interface RecordedRequest extends HttpRequest {
  readonly protocol: Protocol;
  /** The parsed body; undefined when it was no JSON. */
  readonly json: unknown;
  readonly problems: readonly string[];
  /** The client hung up before the answer was sent. */
  aborted: boolean;
  /** The value at a dotted path of the body, such as `messages.0.content`. */
  at(path: string): unknown;
}

/** Longest wait for a condition of the server, in ms. */
const WAIT_MS = 10_000;
const PROTOCOLS: readonly (readonly [string, Protocol])[] = [
  ["/chat/completions", "chat"],
  ["/messages", "messages"],
  ["/responses", "responses"],
];

/**
 * A scripted model service on loopback. Speaks streamed Chat Completions, Anthropic Messages and OpenAI Responses, told apart
 * by path; every request takes the next turn. Use it with `await using`.
 */
export async function startModelServer(
  turns: readonly Script[] = [],
  options: ModelServerOptions = {},
): Promise<ModelServer> {
  const server = new ModelServer(turns, options);
  await server.listen();
  return server;
}

export class ModelServer implements AsyncDisposable {
  /** Every request for a model so far, in order. */
  readonly requests: RecordedRequest[] = [];
  readonly #options: ModelServerOptions;
  readonly #queue: { readonly script: Script; left: number }[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting = new Set<() => void>();
  #port = 0;
  #ids = 0;

  constructor(turns: readonly Script[], options: ModelServerOptions) {
    this.#options = options;
    this.#queue = turns.map(queued);
    this.#server = createServer((socket) => {
      void this.#serve(socket);
    });
  }

  /** The base URL for a provider of that protocol: with `/v1` for OpenAI's, without for Anthropic's. */
  url(provider: "openai" | "anthropic"): string {
    return `http://127.0.0.1:${this.#port}${provider === "openai" ? "/v1" : ""}`;
  }

  get port(): number {
    return this.#port;
  }

  /** Adds turns to the end of the script. */
  push(...turns: readonly Script[]): void {
    this.#queue.push(...turns.map(queued));
  }

  /** Resolves when `condition` holds; it is asked again whenever a request comes or a client hangs up. */
  async until(condition: (requests: readonly RecordedRequest[]) => boolean): Promise<void> {
    const deadline = Date.now() + WAIT_MS;
    while (!condition(this.requests)) {
      if (Date.now() > deadline) throw new Error("the model server waited in vain");
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      const timer = setTimeout(resolve, WAIT_MS);
      await promise;
      clearTimeout(timer);
      this.#waiting.delete(resolve);
    }
  }

  listen(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once("error", reject);
    this.#server.listen(0, "127.0.0.1", () => {
      const address = this.#server.address();
      this.#port = typeof address === "object" && address !== null ? address.port : 0;
      resolve();
    });
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    for (const socket of this.#sockets) socket.destroy();
    await promise;
  }

  #changed(): void {
    for (const resolve of [...this.#waiting]) resolve();
  }

  async #serve(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.setNoDelay(true);
    // A client that resets is what some tests are about; the close that follows is handled.
    socket.on("error", () => undefined);
    socket.on("close", () => this.#sockets.delete(socket));
    const request = await readRequest(socket);
    if (request === undefined) return;
    const protocol = PROTOCOLS.find(([ending]) => request.path.endsWith(ending))?.[1];
    if (protocol === undefined || request.method !== "POST") {
      return replyWith(socket, 404, { error: { message: `no such path ${request.path}`, type: "not_found_error" } });
    }
    const record = recorded(request, protocol);
    this.requests.push(record);
    let isAnswered = false;
    socket.once("close", () => {
      record.aborted = !isAnswered;
      this.#changed();
    });
    this.#changed();
    const turn = await this.#next(record);
    const problem = record.problems[0];
    if (this.#options.strict === true && problem !== undefined) {
      isAnswered = true;
      return replyWith(socket, 400, wrapped(protocol, { type: "invalid_request_error", message: problem }));
    }
    await new Answer(socket, turn, protocol, this.#events(turn, record)).send(() => {
      isAnswered = true;
    });
  }

  async #next(request: RecordedRequest): Promise<Turn> {
    const entry =
      this.#queue.find(({ script, left }) => left > 0 && matches(script, request.body)) ??
      this.#queue.find(({ script, left }) => left > 0 && (typeof script === "function" || script.match === undefined));
    if (entry === undefined) {
      return this.#options.exhausted ?? { status: 400, error: { message: "the script of the model server is over" } };
    }
    entry.left -= 1;
    return typeof entry.script === "function" ? await entry.script(request) : entry.script;
  }

  #events(turn: Turn, request: RecordedRequest): WireEvent[] {
    const model = String(request.at("model"));
    const mint = (): string => {
      this.#ids += 1;
      return `call_${this.#ids}`;
    };
    if (request.protocol === "chat") return chatEvents(turn, model, mint);
    return request.protocol === "messages" ? messagesEvents(turn, model, mint) : responsesEvents(turn, model, mint);
  }
}

function queued(script: Script): { readonly script: Script; left: number } {
  return { script, left: typeof script === "function" ? 1 : (script.times ?? 1) };
}

function matches(script: Script, body: string): boolean {
  return typeof script !== "function" && script.match !== undefined && body.includes(script.match);
}

function recorded(request: HttpRequest, protocol: Protocol): RecordedRequest {
  let json: unknown;
  try {
    json = JSON.parse(request.body);
  } catch {
    // `problems` tells of it.
    json = undefined;
  }
  return {
    ...request,
    protocol,
    json,
    problems: problemsOf(protocol, json),
    aborted: false,
    at: (path) => at(json, path),
  };
}
