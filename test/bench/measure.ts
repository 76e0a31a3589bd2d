/** One line of the report. `ratio` is ours over the baseline of the same run; that is the figure to trust. */
export interface Measurement {
  readonly name: string;
  readonly unit: "ms" | "us" | "MB" | "MB/s" | "%";
  readonly ours: number;
  readonly baseline?: number;
  /** What the baseline is. */
  readonly against?: string;
  readonly ratio?: number;
  /** What `ratio` has to stay under for the project's promise to hold. */
  readonly promise?: number;
  /** What `ratio` should come down to; missing it is told and breaks nothing. */
  readonly goal?: number;
}

/** The value below which the share `q` (0 to 1) of the samples lies. */
export function percentile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

/** The middle sample. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/**
 * Runs two contenders in turn, so that whatever else the machine does hits both alike. Each gives one sample a run;
 * the first round only warms caches and is not counted.
 */
export async function interleave(
  rounds: number,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<{ ours: number[]; baseline: number[] }> {
  const samples = { ours: [] as number[], baseline: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const [mine, theirs] = [await ours(), await baseline()];
    if (round === 0) continue;
    samples.ours.push(mine);
    samples.baseline.push(theirs);
  }
  return samples;
}

/** Milliseconds that `action` takes. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

/** A measurement from two sets of samples, by their medians. */
export function compared(
  fixed: Pick<Measurement, "name" | "unit" | "against" | "promise" | "goal">,
  samples: { readonly ours: readonly number[]; readonly baseline: readonly number[] },
): Measurement {
  const [ours, baseline] = [median(samples.ours), median(samples.baseline)];
  return { ...fixed, ours, baseline, ratio: ours / baseline };
}
