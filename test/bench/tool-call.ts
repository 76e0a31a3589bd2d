import { dirname } from "node:path";
import { BuildError } from "../../src/build/error.ts";
import { benchHost, callTool } from "./bench-host.ts";
import { startChild } from "./child.ts";
import { writeExtension } from "./extension.ts";
import { interleave, type Measurement, percentile, timed } from "./measure.ts";
import { bareCall, type PingPong, writePingPong } from "./ping-pong.ts";

/**
 * The kernel wakes a process within 15 us or 35 us, depending on the core that it happens to live on, and that stays
 * so for as long as it lives: only fresh children, several times over, make two contenders comparable.
 */
const STARTS = 9;
const CALLS_A_START = 500;

interface Samples {
  readonly ours: number[];
  readonly baseline: number[];
}

/**
 * One small tool call through the host, there and back, against a bare exchange of lines with the least program that
 * can answer: once with that same program as the extension, which leaves the host alone, and once with one that uses
 * the SDK. The promise is about the fastest tenth, where the work shows and not the luck of the scheduler.
 */
export async function benchToolCall(folder: string): Promise<Measurement[]> {
  const bare = writePingPong(folder, "bare");
  const withSdk = dirname(writeExtension(folder, "sdk"));
  const contenders = [
    { what: "tool call", dir: bare.dir, tool: bare.tool },
    { what: "tool call with the SDK", dir: withSdk, tool: "echo_sdk" },
  ].map((contender) => ({ ...contender, samples: { ours: [], baseline: [] } as Samples }));
  for (let start = 0; start < STARTS; start++) {
    for (const { dir, tool, samples } of contenders) await sample({ folder, bare, dir, tool }, samples);
  }
  return contenders.flatMap(({ what, samples }) => [
    { ...at(samples, `${what}, fastest tenth`, 0.1), promise: 1.5 },
    at(samples, `${what} p50`, 0.5),
    at(samples, `${what} p99`, 0.99),
  ]);
}

/** Samples of both contenders with children of their own, in us. */
async function sample(
  { folder, bare, dir, tool }: { folder: string; bare: PingPong; dir: string; tool: string },
  samples: Samples,
): Promise<void> {
  const child = await startChild(bare.argv, folder);
  await using host = await benchHost(folder, [dir]);
  const { signal } = new AbortController();
  let calls = 0;
  const exchange = async (): Promise<void> => {
    calls += 1;
    const answer = await child.ask(bareCall(bare, calls));
    if (!answer.includes("hello")) throw new BuildError(`the bare call failed: ${answer}`);
  };
  const call = (): Promise<void> => callTool(host, tool, signal);
  const { ours, baseline } = await interleave(CALLS_A_START, us(call), us(exchange));
  samples.ours.push(...ours);
  samples.baseline.push(...baseline);
  await child.stop();
}

/** Gives the microseconds that `action` takes. */
function us(action: () => Promise<void>): () => Promise<number> {
  return async () => (await timed(action)) * 1000;
}

function at(samples: Samples, name: string, q: number): Measurement {
  const [ours, baseline] = [percentile(samples.ours, q), percentile(samples.baseline, q)];
  return { name, unit: "us", ours, baseline, against: "bare ping-pong", ratio: ours / baseline };
}
