import type { Socket } from "node:net";
import { eventBytes, writesOf } from "./bytes.ts";
import type { WireEvent } from "./events.ts";
import { responseHead } from "./http.ts";
import type { Drop, Protocol, Turn } from "./turn.ts";
import { at } from "./value.ts";

/** An error body as the service of that protocol words it. */
export function wrapped(protocol: Protocol, error: unknown): object {
  return protocol === "messages" ? { type: "error", error } : { error };
}

/** Answers with a whole body and ends the connection. */
export function replyWith(
  socket: Socket,
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const type = typeof body === "string" && body.trimStart().startsWith("<") ? "text/html" : "application/json";
  socket.write(responseHead(status, { "content-type": type, "content-length": String(bytes.length), ...headers }));
  socket.end(bytes);
}

/** Sends one turn over one connection, to its scripted end. */
export class Answer {
  readonly #socket: Socket;
  readonly #turn: Turn;
  readonly #protocol: Protocol;
  readonly #events: readonly WireEvent[];
  #sent = 0;

  constructor(socket: Socket, turn: Turn, protocol: Protocol, events: readonly WireEvent[]) {
    this.#socket = socket;
    this.#turn = turn;
    this.#protocol = protocol;
    this.#events = events;
  }

  /** Calls `onSent` when all of the turn is on its way, before the connection ends. */
  async send(onSent: () => void): Promise<void> {
    const { delay, drop, status, body, headers, error } = this.#turn;
    if (delay === "forever") return;
    if (delay !== undefined) await Bun.sleep(delay);
    if (drop === "before_headers") return this.#break(onSent);
    if (status !== undefined) {
      onSent();
      const isObject = typeof error === "object";
      return replyWith(this.#socket, status, isObject ? wrapped(this.#protocol, error) : (error ?? ""), headers);
    }
    if (body !== undefined) {
      onSent();
      const type = this.#turn.contentType ?? "text/event-stream";
      return replyWith(this.#socket, 200, body, { "content-type": type, ...headers });
    }
    await this.#stream(onSent);
  }

  async #stream(onSent: () => void): Promise<void> {
    const { drop, headers, contentType, stallAfterEvents, keepOpen, pace } = this.#turn;
    this.#socket.write(
      responseHead(200, {
        "content-type": contentType ?? "text/event-stream; charset=utf-8",
        ...(this.#isChunked ? { "transfer-encoding": "chunked" } : {}),
        ...headers,
      }),
    );
    if (drop === "after_headers") return this.#break(onSent);
    let count = 0;
    for (const event of this.#events) {
      if (drop === "before_done" && event.isEnd === true) return this.#break(onSent);
      const isWhole = await this.#write(eventBytes(event, this.#turn, count === 0));
      count += 1;
      if (!isWhole || count === limitOf(drop, "afterEvents")) return this.#break(onSent);
      if (count === stallAfterEvents) return;
      if (pace !== undefined) await Bun.sleep(pace);
    }
    if (this.#isChunked) this.#socket.write("0\r\n\r\n");
    if (keepOpen === true) return;
    onSent();
    this.#socket.end();
  }

  get #isChunked(): boolean {
    return this.#turn.framing !== "close" && this.#turn.keepOpen !== true;
  }

  /** False when the turn breaks off within these bytes. */
  async #write(bytes: Buffer): Promise<boolean> {
    const { drop, chunk } = this.#turn;
    for (const write of writesOf(bytes, chunk)) {
      const left = limitOf(drop, "afterBytes") - this.#sent;
      const part = write.subarray(0, left);
      if (this.#isChunked) this.#socket.write(`${part.length.toString(16)}\r\n`);
      this.#socket.write(part);
      if (this.#isChunked) this.#socket.write("\r\n");
      this.#sent += part.length;
      if (part.length === left) return false;
      // So that the writes arrive one by one.
      if (chunk !== undefined) await Bun.sleep(0);
    }
    return true;
  }

  async #break(onSent: () => void): Promise<void> {
    onSent();
    // What was written must be on its way: a reset throws away what is not.
    await Bun.sleep(20);
    if (this.#turn.reset === true) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }
}

function limitOf(drop: Drop | undefined, kind: "afterBytes" | "afterEvents"): number {
  const limit = typeof drop === "object" ? at(drop, kind) : undefined;
  return typeof limit === "number" ? limit : Number.POSITIVE_INFINITY;
}
