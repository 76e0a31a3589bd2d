import { encodeFrame } from "../../wire/encode.ts";
import { type HostFrames, type HostFrameType, type InboundFrame, parseFrame } from "../../wire/frames.ts";
import { BAD_LINE_PREVIEW_CHARS } from "../../wire/limits.ts";
import type { LineReader } from "../../wire/line-reader.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { CallClock } from "./call-clock.ts";
import type { IdSource } from "./ids.ts";
import { type CallEnd, type CallLimits, PendingCalls, type Reply } from "./pending.ts";
import type { Sent, Transport } from "./transport.ts";

/** Handles one frame; `line` is its raw text, for members that must keep their digits. */
export type FrameHandler = (frame: InboundFrame, line: string) => void;

/** Frame type → handler. A `Map`, so that a type called `constructor` finds nothing. */
export type FrameTable = ReadonlyMap<string, FrameHandler>;

export type CallType = "command_invoked" | "tool_call" | "event_intercept" | "uri_request";

interface Call extends Reply {
  /** Letter of the ids. */
  readonly kind: Parameters<IdSource["next"]>[0];
}

/** Requests that an extension answers, and with what. */
const CALLS: Readonly<Record<CallType, Call>> = {
  command_invoked: { kind: "c", answer: "command_response", update: undefined },
  tool_call: { kind: "t", answer: "tool_result", update: "tool_update" },
  event_intercept: { kind: "i", answer: "event_intercept_response", update: undefined },
  uri_request: { kind: "u", answer: "uri_result", update: undefined },
};

export interface CallOptions extends CallLimits {
  /** Told the id of the call before it is sent. */
  readonly onId?: (id: string) => void;
}

/** One live link to an extension: sends requests, matches answers, hands everything else to the table. */
export class Connection {
  readonly #transport: Transport;
  readonly #diagnostics: Diagnostics;
  readonly #ids: IdSource;
  readonly #pending: PendingCalls;
  /** Counts frames, for the auto-ready watcher. */
  framesRead = 0;
  /** Why the link ended before the other side closed it. */
  fault: string | undefined;

  /** @param clock measures every deadline of a call on this link */
  constructor(transport: Transport, diagnostics: Diagnostics, ids: IdSource, clock: CallClock) {
    this.#transport = transport;
    this.#diagnostics = diagnostics;
    this.#ids = ids;
    this.#pending = new PendingCalls(clock);
  }

  /** Sends a frame that expects no answer. Events may be dropped when the extension does not keep up. */
  send<T extends HostFrameType>(type: T, fields: HostFrames[T]): Sent {
    const sent = this.#transport.send(encodeFrame(type, { ...fields }), type === "event");
    if (sent === "too_long") this.#diagnostics.add(`${type}: the frame would exceed the protocol's limit; not sent`);
    return sent;
  }

  /** Sends frames of one type that belong together and count as one in the outbound queue: the characters of a paste. */
  sendTogether<T extends HostFrameType>(type: T, list: readonly HostFrames[T][]): Sent {
    return this.#transport.send(list.map((fields) => encodeFrame(type, { ...fields })).join(""));
  }

  /** Sends a request and waits for the end of it. Never rejects. `too_long`: it would pass the frame limit. */
  async call<T extends CallType>(
    type: T,
    fields: Omit<HostFrames[T], "id">,
    options: CallOptions,
  ): Promise<CallEnd | { readonly kind: "too_long" }> {
    const call = CALLS[type];
    const id = this.#ids.next(call.kind);
    if (options.signal?.aborted) return { kind: "cancelled" };
    options.onId?.(id);
    const end = this.#pending.wait(id, call, options);
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

  /** Ends every call in flight because nobody will read the answers. */
  abandonCalls(): void {
    this.#pending.disconnect();
  }

  /** Reads until the other side is gone; then every call in flight has ended. */
  async run(lines: LineReader, table: FrameTable): Promise<void> {
    try {
      await lines.forEach((line) => {
        this.#dispatchSafely(line, table);
      });
    } catch (error) {
      // A frame over the limit, or a pipe that cannot be read: either way nothing more can be understood.
      this.fault ??= error instanceof Error ? error.message : String(error);
      this.#diagnostics.add(`${this.fault}; disconnected`);
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
    if (typeof id === "string" && this.#pending.take(id, frame, line)) return;
    if (REPLY_TYPES.has(frame.type)) {
      this.#diagnostics.add(`${frame.type} for no open call; ignored`);
      return;
    }
    const handler = table.get(frame.type);
    if (handler === undefined) this.#diagnostics.add(`unknown frame type ${JSON.stringify(frame.type.slice(0, 80))}`);
    else handler(frame, line);
  }

  /** A defect of ours in the handling of one frame must not end the link, nor the agent behind it. */
  #dispatchSafely(line: string, table: FrameTable): void {
    try {
      this.#dispatch(line, table);
    } catch (error) {
      this.#diagnostics.add(`internal error while handling a frame: ${String(error)}`);
    }
  }
}

const REPLY_TYPES: ReadonlySet<string> = new Set(
  Object.values(CALLS).flatMap(({ answer, update }) => (update === undefined ? [answer] : [answer, update])),
);
