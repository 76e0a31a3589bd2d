import { dirname, join } from "node:path";
import { BuildError } from "../../src/build/error.ts";
import { binary } from "../../src/build/project.ts";
import { ExtensionHost } from "../../src/host/host.ts";
import { HeadlessSurface } from "../../src/surfaces/headless.ts";
import { type ReadyChild, startChild } from "./child.ts";
import { writeExtension } from "./extension.ts";
import { type Measurement, percentile } from "./measure.ts";

const ROUNDS = 10;
const CALLS_A_ROUND = 300;
const WARM_UP = 300;
const RUN_EXTENSION = [binary, "__run-ext"] as const;

/** One small tool call through the host, there and back, against bare lines to the same extension. */
export async function benchToolCall(folder: string): Promise<Measurement[]> {
  const source = writeExtension(folder, "call");
  const bare = await startChild([...RUN_EXTENSION, source], folder);
  await using host = makeHost(folder, dirname(source));
  await host.start();
  await host.whenReady();
  const { signal } = new AbortController();

  const samples = { ours: [] as number[], baseline: [] as number[] };
  await callHost(host, signal, WARM_UP);
  await callBare(bare, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    samples.ours.push(...(await callHost(host, signal, CALLS_A_ROUND)));
    samples.baseline.push(...(await callBare(bare, CALLS_A_ROUND)));
  }
  await bare.stop();
  return [at(samples, "p50", 0.5), at(samples, "p99", 0.99)];
}

function makeHost(folder: string, extension: string): ExtensionHost {
  return new ExtensionHost({
    explicit: [extension],
    scan: false,
    cwd: folder,
    home: join(folder, "home"),
    version: "bench",
    env: process.env,
    sourceRunner: RUN_EXTENSION,
    reserved: { commands: new Set(), tools: new Set() },
    surface: new HeadlessSurface((line) => console.error(line)),
    model: () => ({ provider: "offline", model: "offline" }),
  });
}

async function callHost(host: ExtensionHost, signal: AbortSignal, times: number): Promise<number[]> {
  return await repeat(times, async () => {
    const { content, isError } = await host.tools.call("echo_call", '{"text":"hello"}', signal);
    if (isError) throw new BuildError(`the tool call failed: ${JSON.stringify(content)}`);
  });
}

async function callBare(bare: ReadyChild, times: number): Promise<number[]> {
  return await repeat(times, async (index) => {
    const answer = await bare.ask(`{"type":"tool_call","id":"${index}","name":"echo_call","args":{"text":"hello"}}`);
    if (!answer.includes("hello")) throw new BuildError(`the bare call failed: ${answer}`);
  });
}

/** Microseconds that each run of `action` took. */
async function repeat(times: number, action: (index: number) => Promise<void>): Promise<number[]> {
  const samples: number[] = [];
  for (let index = 0; index < times; index++) {
    const started = performance.now();
    await action(index);
    samples.push((performance.now() - started) * 1000);
  }
  return samples;
}

function at(samples: { ours: readonly number[]; baseline: readonly number[] }, name: string, q: number): Measurement {
  const [ours, baseline] = [percentile(samples.ours, q), percentile(samples.baseline, q)];
  return { name: `tool call ${name}`, unit: "us", ours, baseline, against: "bare lines", ratio: ours / baseline };
}
