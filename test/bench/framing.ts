import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { parseFrame } from "../../src/wire/frames.ts";
import { LineReader } from "../../src/wire/line-reader.ts";
import { interleave, type Measurement, median } from "./measure.ts";

const ROUNDS = 9;
/** What a pipe or a socket gives at a time. */
const CHUNK_BYTES = 64 * 1024;
const TOTAL_BYTES = 24 * 1024 * 1024;
/** The last one is close to the longest frame that there may be. */
const FRAME_BYTES = [100, 2_048, 100_000, 4_000_000];

/** Frames that arrive in chunks, and the same frames as lines. */
interface Stream {
  readonly chunks: readonly Uint8Array[];
  readonly lines: readonly string[];
}

/** Megabytes of frames a second: cut from a stream against node:readline, and decoded against JSON.parse alone. */
export async function benchFraming(): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (const size of FRAME_BYTES) {
    const stream = makeStream(size);
    const named = (what: string): string => `${what}, ${size.toLocaleString("en")} B frames`;
    results.push(
      higher(
        named("framing"),
        "node:readline",
        await interleave(ROUNDS, throughput(stream, cut), throughput(stream, readline)),
      ),
      higher(
        named("decoding"),
        "JSON.parse alone",
        await interleave(ROUNDS, throughput(stream, decode), throughput(stream, parse)),
      ),
    );
  }
  return results;
}

/** Gives the number of frames that it found. */
type Work = (stream: Stream) => Promise<number>;

async function cut({ chunks }: Stream): Promise<number> {
  let count = 0;
  await new LineReader(arriving(chunks)).forEach(() => {
    count += 1;
  });
  return count;
}

async function decode({ chunks }: Stream): Promise<number> {
  let count = 0;
  await new LineReader(arriving(chunks)).forEach((line) => {
    if (parseFrame(line).kind === "frame") count += 1;
  });
  return count;
}

async function readline({ chunks }: Stream): Promise<number> {
  let count = 0;
  const lines = createInterface({ input: Readable.from(chunks), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const _ of lines) count += 1;
  return count;
}

async function parse({ lines }: Stream): Promise<number> {
  let count = 0;
  for (const line of lines) if (JSON.parse(line).type === "notify") count += 1;
  return count;
}

async function* arriving(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}

function throughput(stream: Stream, work: Work): () => Promise<number> {
  return async () => {
    const started = performance.now();
    const count = await work(stream);
    if (count !== stream.lines.length) throw new Error(`${stream.lines.length} frames went in and ${count} came out`);
    return TOTAL_BYTES / 1e6 / ((performance.now() - started) / 1000);
  };
}

function higher(name: string, against: string, samples: { ours: number[]; baseline: number[] }): Measurement {
  const [ours, baseline] = [median(samples.ours), median(samples.baseline)];
  return { name, unit: "MB/s", ours, baseline, against, ratio: ours / baseline };
}

function makeStream(frameBytes: number): Stream {
  const head = '{"type":"notify","message":"';
  const line = `${head}${"x".repeat(frameBytes - head.length - 3)}"}`;
  const count = Math.floor(TOTAL_BYTES / frameBytes);
  const bytes = Buffer.from(`${line}\n`.repeat(count));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  return { chunks, lines: Array.from({ length: count }, () => line) };
}
