import type { Measurement } from "./measure.ts";

/** The measurements as a text table, one line each. */
export function table(results: readonly Measurement[]): string {
  const rows = results.map((result) => [result.name, figure(result), comparison(result), promise(result)]);
  const all = [["what", "median", "against", "promise"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function figure({ ours, unit }: Measurement): string {
  return `${ours.toFixed(ours < 100 ? 2 : 0)} ${unit}`;
}

function comparison({ baseline, against, ratio, unit }: Measurement): string {
  if (baseline === undefined || ratio === undefined) return "";
  return `${ratio.toFixed(2)}x of ${baseline.toFixed(baseline < 100 ? 2 : 0)} ${unit} (${against ?? "baseline"})`;
}

function promise(result: Measurement): string {
  if (result.goal !== undefined) {
    return (result.ratio ?? 0) > result.goal ? `goal missed: ${result.goal}x` : `goal reached: ${result.goal}x`;
  }
  if (result.promise === undefined) return "";
  return isBroken(result) ? `BROKEN: under ${result.promise}x` : `under ${result.promise}x: kept`;
}

/** A sentence for each measurement that the project promised better. */
export function brokenPromises(results: readonly Measurement[]): string[] {
  return results
    .filter(isBroken)
    .map(({ name, ratio, promise }) => `${name}: ${ratio?.toFixed(2)}x, promised under ${promise}x`);
}

function isBroken({ ratio, promise }: Measurement): boolean {
  return ratio !== undefined && promise !== undefined && ratio > promise;
}
