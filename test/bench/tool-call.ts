import { dirname } from "node:path";
import { BuildError } from "../../src/build/error.ts";
import { binary } from "../../src/build/project.ts";
import { benchHost, callTool } from "./bench-host.ts";
import { startChild } from "./child.ts";
import { writeExtension } from "./extension.ts";
import { interleave, type Measurement, percentile, timed } from "./measure.ts";
import { type Echo, toolCall, writePingPong } from "./ping-pong.ts";

/**
 * A wake-up takes 15 us or 35 us, depending on the core that a process happens to live on, and that stays so for as
 * long as it lives: only fresh children, several times over, make two contenders comparable.
 */
const STARTS = 9;
const CALLS_A_START = 500;

interface Samples {
  readonly ours: number[];
  readonly baseline: number[];
}

/**
 * One small tool call through the host, there and back, against a bare exchange of lines with the same program: the
 * least one that can answer, and one that uses the SDK. The promise is about the first and its fastest tenth, where the
 * work shows and not the luck of the scheduler.
 */
export async function benchToolCall(folder: string): Promise<Measurement[]> {
  const sdk = writeExtension(folder, "sdk");
  const contenders = [
    { what: "tool call", against: "bare ping-pong", promise: { promise: 1.5 }, echo: writePingPong(folder, "bare") },
    {
      what: "tool call with the SDK",
      against: "bare lines to it",
      promise: {},
      echo: { dir: dirname(sdk), argv: [binary, "__run-ext", sdk], tool: "echo_sdk" } as const,
    },
  ].map((contender) => {
    const samples: Samples = { ours: [], baseline: [] };
    return { ...contender, samples };
  });
  for (let start = 0; start < STARTS; start++) {
    for (const { echo, samples } of contenders) await sample(folder, echo, samples);
  }
  return contenders.flatMap(({ what, against, promise, samples }) => [
    { ...at(samples, 0.1), name: `${what}, fastest tenth`, against, ...promise },
    { ...at(samples, 0.5), name: `${what} p50`, against },
    { ...at(samples, 0.99), name: `${what} p99`, against },
  ]);
}

/** Adds samples of both contenders with children of their own, in us. */
async function sample(folder: string, echo: Echo, samples: Samples): Promise<void> {
  const bare = await startChild(echo.argv, folder);
  await using host = await benchHost(folder, [echo.dir]);
  const { signal } = new AbortController();
  let calls = 0;
  const exchange = async (): Promise<void> => {
    calls += 1;
    const answer = await bare.ask(toolCall(echo, calls));
    if (!answer.includes("hello")) throw new BuildError(`the bare call failed: ${answer}`);
  };
  const call = (): Promise<void> => callTool(host, echo.tool, signal);
  const { ours, baseline } = await interleave(CALLS_A_START, us(call), us(exchange));
  samples.ours.push(...ours);
  samples.baseline.push(...baseline);
  await bare.stop();
}

/** Gives the microseconds that `action` takes. */
function us(action: () => Promise<void>): () => Promise<number> {
  return async () => (await timed(action)) * 1000;
}

function at(samples: Samples, q: number): Pick<Measurement, "unit" | "ours" | "baseline" | "ratio"> {
  const [ours, baseline] = [percentile(samples.ours, q), percentile(samples.baseline, q)];
  return { unit: "us", ours, baseline, ratio: ours / baseline };
}
