import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { readLines } from "../../src/wire/framing.ts";
import { interleave, type Measurement, median } from "./measure.ts";

const ROUNDS = 7;
const CHUNK_BYTES = 64 * 1024;
const TOTAL_BYTES = 24 * 1024 * 1024;
const FRAME_BYTES = [100, 2_048, 100_000];

/** Megabytes of frames cut from a stream per second, against node:readline over the same chunks. */
export async function benchFraming(): Promise<Measurement[]> {
  const results: Measurement[] = [];
  for (const size of FRAME_BYTES) {
    const { chunks, frames } = makeStream(size);
    const samples = await interleave(
      ROUNDS,
      () => throughput(readLines(Readable.from(chunks)), frames),
      () => throughput(createInterface({ input: Readable.from(chunks), crlfDelay: Number.POSITIVE_INFINITY }), frames),
    );
    const [ours, baseline] = [median(samples.ours), median(samples.baseline)];
    const name = `framing, ${size.toLocaleString("en")} B frames`;
    results.push({ name, unit: "MB/s", ours, baseline, against: "node:readline", ratio: ours / baseline });
  }
  return results;
}

async function throughput(lines: AsyncIterable<string>, expected: number): Promise<number> {
  const started = performance.now();
  let count = 0;
  for await (const _ of lines) count++;
  if (count !== expected) throw new Error(`${expected} frames went in and ${count} came out`);
  return TOTAL_BYTES / 1e6 / ((performance.now() - started) / 1000);
}

function makeStream(frameBytes: number): { chunks: Uint8Array[]; frames: number } {
  const head = '{"type":"notify","message":"';
  const frame = `${head}${"x".repeat(frameBytes - head.length - 3)}"}\n`;
  const frames = Math.floor(TOTAL_BYTES / frameBytes);
  const bytes = Buffer.from(frame.repeat(frames));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
  return { chunks, frames };
}
