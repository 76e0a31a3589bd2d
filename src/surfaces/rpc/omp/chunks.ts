import { CHUNK_BYTES } from "../limits.ts";
import { encodeLine } from "../transport/encode-line.ts";

/** One frame that is too long for a line, as the `rpc_chunk` lines that carry it (rpc-wire.md §1.4). */
export function* chunkLines(frame: string, chunkId: string): Generator<string, void, undefined> {
  const bytes = Buffer.from(frame.endsWith("\n") ? frame.slice(0, -1) : frame);
  const count = Math.ceil(bytes.length / CHUNK_BYTES);
  for (let index = 0; index < count; index += 1) {
    const data = bytes.toString("base64", index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES);
    yield encodeLine("rpc_chunk", { chunkId, index, count, byteLength: bytes.length, data });
  }
}
