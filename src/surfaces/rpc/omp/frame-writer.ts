import { MAX_FRAME_BYTES, MAX_REASSEMBLED_BYTES, OVERFLOW_ECHO_CHARS } from "../limits.ts";
import { encodeLine } from "../transport/encode-line.ts";
import { chunkLines } from "./chunks.ts";
import { elideToFit } from "./elide.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What became of a frame: whole, cut, or replaced by one that says that it did not fit. */
export type Written = "whole" | "cut" | "lost";

const LIMIT_TEXT = "exceeded the transport limit";

/**
 * Frames of the omp wire on their way out: no line is ever longer than a client was promised. Protocol 1 cuts what is
 * too long, protocol 2 splits it (rpc-wire.md §1.4, §1.5).
 */
export class FrameWriter {
  /** Takes effect with the next frame. */
  version: 1 | 2 = 1;
  readonly #write: (line: string) => void;
  #chunked = 0;

  /** @param write takes one line, at any time */
  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Anything but a response. */
  event(type: string, fields: Fields = {}): Written {
    return this.encodedEvent(type, encodeLine(type, fields), () => fields);
  }

  /**
   * An event that is a line already.
   * @param fields what the line says, asked for when it has to be cut
   */
  encodedEvent(type: string, line: string, fields: () => Fields): Written {
    if (this.#whole(line)) return "whole";
    const smaller = this.version === 1 ? elideToFit(fields(), (cut) => fits(encodeLine(type, cut))) : undefined;
    if (smaller !== undefined) {
      this.#write(encodeLine(type, smaller));
      return "cut";
    }
    if (type === "agent_end") return this.#emptyAgentEnd(fields());
    this.#write(encodeLine("rpc_frame_error", { originalType: type, error: `RPC frame ${LIMIT_TEXT}` }));
    return "lost";
  }

  /**
   * A request to the client, whose answer is acted on: it goes out whole or not at all. False: it is too long for the
   * protocol that was agreed on.
   */
  request(type: string, fields: Fields): boolean {
    return this.#whole(encodeLine(type, fields));
  }

  response(fields: Fields): void {
    if (this.#whole(encodeLine("response", fields))) return;
    const { id, command } = fields;
    const error = { success: false, error: `RPC response ${LIMIT_TEXT}` };
    const answer = encodeLine("response", { id, command, ...error });
    if (fits(answer)) this.#write(answer);
    else this.#write(encodeLine("response", { id: shortened(id), command: shortened(command), ...error }));
  }

  /** Whether a line of these fields could travel in one piece, or be split. */
  canSend(type: string, fields: Fields): boolean {
    const line = encodeLine(type, fields);
    return fits(line) || (this.version === 2 && byteLength(line) <= MAX_REASSEMBLED_BYTES);
  }

  #whole(line: string): boolean {
    if (fits(line)) {
      this.#write(line);
      return true;
    }
    if (this.version === 1 || byteLength(line) > MAX_REASSEMBLED_BYTES) return false;
    this.#chunked += 1;
    // Nothing may come between the pieces; they are handed over without a pause.
    for (const chunk of chunkLines(line, `rpc-${this.#chunked}`)) this.#write(chunk);
    return true;
  }

  #emptyAgentEnd({ messages, messageCount }: Fields): Written {
    const count = messageCount ?? (Array.isArray(messages) ? messages.length : 0);
    this.#write(encodeLine("agent_end", { messages: [], messageCount: count }));
    return "cut";
  }
}

function fits(line: string): boolean {
  // No UTF-16 unit takes more than three bytes, so most lines need not be measured.
  return line.length * 3 <= MAX_FRAME_BYTES || byteLength(line) <= MAX_FRAME_BYTES;
}

function byteLength(line: string): number {
  return Buffer.byteLength(line);
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.slice(0, OVERFLOW_ECHO_CHARS);
  return typeof value === "number" ? value : undefined;
}
