import { ZotError } from "./error.ts";
import type { Frame } from "./frames.ts";
import { CHUNK_ID_MAX_CHARS, CHUNK_MAX_BYTES, CHUNKED_MIN_BYTES, CHUNKS_MAX, FRAME_MAX_BYTES } from "./limits.ts";

interface Sequence {
  readonly chunkId: string;
  readonly count: number;
  readonly byteLength: number;
  readonly parts: Uint8Array[];
  size: number;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Puts frames together that came in chunks (protocol 2). Anything that does not follow the rules is a protocol error: the
 * stream cannot be trusted after it.
 */
export class ChunkReader {
  #sequence: Sequence | undefined;

  /** Takes the next frame of the stream; gives the text of a frame that is complete with it. Throws `ZotError`. */
  take(frame: Frame): string | undefined {
    const { chunkId, index, count, byteLength, data } = frame;
    if (typeof chunkId !== "string" || chunkId === "" || chunkId.length > CHUNK_ID_MAX_CHARS) throw fault("chunkId");
    if (!isCount(count, 2, CHUNKS_MAX)) throw fault("count");
    if (!isCount(byteLength, CHUNKED_MIN_BYTES, FRAME_MAX_BYTES)) throw fault("byteLength");
    if (typeof data !== "string" || !BASE64.test(data)) throw fault("data");
    const sequence = this.#sequence ?? { chunkId, count, byteLength, parts: [], size: 0 };
    if (sequence.chunkId !== chunkId || sequence.count !== count || sequence.byteLength !== byteLength) {
      throw fault("another sequence before the end of the last one");
    }
    if (index !== sequence.parts.length) throw fault(`index ${String(index)}`);
    const part = Uint8Array.from(Buffer.from(data, "base64"));
    if (part.length === 0 || part.length > CHUNK_MAX_BYTES) throw fault("size of a part");
    sequence.parts.push(part);
    sequence.size += part.length;
    this.#sequence = sequence;
    return sequence.parts.length < count ? undefined : this.#finish(sequence);
  }

  /** Called for every frame that is no chunk. Throws `ZotError` when one is still incomplete. */
  between(): void {
    if (this.#sequence !== undefined) throw fault("a frame within a sequence of chunks");
  }

  #finish({ parts, size, byteLength }: Sequence): string {
    this.#sequence = undefined;
    if (size !== byteLength) throw fault(`${size} bytes, not ${byteLength}`);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts, size));
    } catch {
      throw fault("the bytes are not UTF-8");
    }
  }
}

function isCount(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
}

function fault(what: string): ZotError {
  return new ZotError("protocol", `rpc_chunk: ${what}`);
}
