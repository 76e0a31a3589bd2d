import { encodeFrame } from "../../wire/encode.ts";
import { type HostFrames, type HostFrameType, type InboundFrame, parseFrame } from "../../wire/frames.ts";
import { FrameTooLongError } from "../../wire/framing.ts";
import { BAD_LINE_PREVIEW_CHARS } from "../../wire/limits.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { IdSource } from "./ids.ts";
import { type CallEnd, PendingCalls } from "./pending.ts";
import type { Transport } from "./transport.ts";

/** Handles one frame; `line` is its raw text, for members that must keep their digits. */
export type FrameHandler = (frame: InboundFrame, line: string) => void;

/** Frame type → handler. A `Map`, so that a type called `constructor` finds nothing. */
export type FrameTable = ReadonlyMap<string, FrameHandler>;

/** Requests that an extension answers, and with what. */
const ANSWERS = {
  command_invoked: { kind: "c", answer: "command_response" },
  tool_call: { kind: "t", answer: "tool_result" },
  event_intercept: { kind: "i", answer: "event_intercept_response" },
} as const;

export type CallType = keyof typeof ANSWERS;

export interface CallOptions {
  /** ms; absent: no deadline. The clock starts when the frame is queued, so a blocked pipe cannot stretch it. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** Told the id of the call before it is sent. */
  readonly onId?: (id: string) => void;
}

/** One live link to an extension: sends requests, matches answers, hands everything else to the table. */
export class Connection {
  readonly #transport: Transport;
  readonly #diagnostics: Diagnostics;
  readonly #ids: IdSource;
  readonly #pending = new PendingCalls();
  /** Counts frames, for the auto-ready watcher. */
  framesRead = 0;
  /** Why the link ended before the other side closed it. */
  fault: string | undefined;

  constructor(transport: Transport, diagnostics: Diagnostics, ids: IdSource) {
    this.#transport = transport;
    this.#diagnostics = diagnostics;
    this.#ids = ids;
  }

  /** Sends a frame that expects no answer. Events may be dropped when the extension does not keep up. */
  send<T extends HostFrameType>(type: T, fields: HostFrames[T]): void {
    this.#transport.send(encodeFrame(type, { ...fields }), type === "event");
  }

  /** Sends a request and waits for the end of it. Never rejects. `too_long`: it would pass the frame limit. */
  async call<T extends CallType>(
    type: T,
    fields: Omit<HostFrames[T], "id">,
    options: CallOptions,
  ): Promise<CallEnd | { readonly kind: "too_long" }> {
    const { kind, answer } = ANSWERS[type];
    const id = this.#ids.next(kind);
    if (options.signal?.aborted) return { kind: "cancelled" };
    options.onId?.(id);
    const end = this.#pending.wait(id, answer, options.deadlineMs, options.signal);
    const sent = this.#transport.send(encodeFrame(type, { id, ...fields }));
    if (sent === "queued") return end;
    this.#pending.abandon(id);
    return sent === "too_long" ? { kind: "too_long" } : { kind: "disconnected" };
  }

  /** Ends every call in flight because the link is of no more use. */
  disconnect(reason: string): void {
    this.fault ??= reason;
    this.#pending.disconnect();
  }

  /** Reads until the other side is gone; then every call in flight has ended. */
  async run(lines: AsyncGenerator<string, void, undefined>, table: FrameTable): Promise<void> {
    try {
      for await (const line of lines) this.#dispatch(line, table);
    } catch (error) {
      if (!(error instanceof FrameTooLongError)) throw error;
      this.fault = error.message;
      this.#diagnostics.add(`${error.message}; disconnected`);
    } finally {
      this.#pending.disconnect();
    }
  }

  #dispatch(line: string, table: FrameTable): void {
    this.framesRead += 1;
    const parsed = parseFrame(line);
    if (parsed.kind === "malformed") {
      this.#diagnostics.add(
        `malformed json from extension: ${parsed.detail}: ${line.slice(0, BAD_LINE_PREVIEW_CHARS)}`,
      );
      return;
    }
    if (parsed.kind === "untyped") {
      this.#diagnostics.add('unknown frame type ""');
      return;
    }
    const { frame } = parsed;
    const id = frame["id"];
    if (typeof id === "string" && this.#pending.answer(id, frame, line)) return;
    if (ANSWER_TYPES.has(frame.type)) {
      this.#diagnostics.add(`${frame.type} for no open call; ignored`);
      return;
    }
    const handler = table.get(frame.type);
    if (handler === undefined) this.#diagnostics.add(`unknown frame type ${JSON.stringify(frame.type.slice(0, 80))}`);
    else handler(frame, line);
  }
}

const ANSWER_TYPES: ReadonlySet<string> = new Set(Object.values(ANSWERS).map(({ answer }) => answer));
