import { FrameTooLongError, LineSplitter } from "../../../wire/framing.ts";
import { READ_YIELD_MS } from "../../../wire/limits.ts";

const LF = 0x0a;

/** What came from the client: a line without its end, or one that was too long to be kept. */
export type InputLine = { readonly kind: "line"; readonly text: string } | { readonly kind: "too_long" };

/**
 * The lines of the client until it closes its side (rpc-wire.md §1.3); the last one counts without its LF too. A line
 * over `limit` bytes is skipped to its end. Other work runs after every few milliseconds of reading.
 */
export async function* inputLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<InputLine, void, undefined> {
  const lines = new BoundedLines(limit);
  let busySince = performance.now();
  for await (const chunk of chunks) {
    for (const line of lines.push(chunk)) {
      yield line;
      if (performance.now() - busySince < READ_YIELD_MS) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      busySince = performance.now();
    }
  }
  const last = lines.end();
  if (last !== undefined) yield { kind: "line", text: last };
}

/** A `LineSplitter` that survives a line which is too long. */
class BoundedLines {
  readonly #limit: number;
  #splitter: LineSplitter;
  #skipping = false;

  constructor(limit: number) {
    this.#limit = limit;
    this.#splitter = new LineSplitter(limit);
  }

  *push(chunk: Uint8Array): Generator<InputLine, void, undefined> {
    // Pieces are far smaller than the limit, so that one which breaks it holds no whole line before the break.
    for (let start = 0; start < chunk.length; start += this.#pieceBytes) {
      yield* this.#pushPiece(chunk.subarray(start, start + this.#pieceBytes));
    }
  }

  end(): string | undefined {
    return this.#skipping ? undefined : this.#splitter.end();
  }

  get #pieceBytes(): number {
    return Math.max(1, Math.floor(this.#limit / 2));
  }

  *#pushPiece(piece: Uint8Array): Generator<InputLine, void, undefined> {
    let rest = piece;
    if (this.#skipping) {
      const end = piece.indexOf(LF);
      if (end === -1) return;
      this.#skipping = false;
      rest = piece.subarray(end + 1);
    }
    try {
      for (const text of this.#splitter.push(rest)) yield { kind: "line", text };
    } catch (error) {
      if (!(error instanceof FrameTooLongError)) throw error;
      this.#splitter = new LineSplitter(this.#limit);
      this.#skipping = true;
      yield { kind: "too_long" };
      yield* this.#pushPiece(rest);
    }
  }
}
