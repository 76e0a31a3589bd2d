import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { tempDir } from "../support/temp-dir.ts";
import { plan } from "./interleavings/plan.ts";
import { realPlan, runReal } from "./interleavings/real-run.ts";
import { furnish, simulate } from "./interleavings/simulation.ts";

/**
 * Two roads to one property: whatever happens in whatever order, the host neither throws nor hangs, everything that was
 * asked of it comes to exactly one end, and nothing is left of any process.
 *
 * The first road goes through the whole host from `ExtensionHost` down to `Bun.spawn`, with a simulated system below it:
 * pipes that take and give what the plan says, signals, exits, and a clock that stands still until the plan lets time
 * pass. So every interleaving and every chunking is played exactly as it was drawn, 60 s of deadlines cost nothing, a
 * hang is a fact and no guess, and a failing case can be played again and shrinks. The second road shows that real
 * pipes, signals and process groups do no worse.
 *
 * FC_SEED=… FC_PATH=… plays one case again, FC_RUNS=… plays more.
 */
const SEED = Number(process.env["FC_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const PATH = process.env["FC_PATH"];
const RUNS = Number(process.env["FC_RUNS"] ?? 2_000);
const REAL_RUNS = 64;
/** Most of a real case is waiting. */
const REAL_AT_ONCE = 8;

describe("whatever happens in whatever order", () => {
  test("a simulated system finds no fault with the host", async () => {
    console.log(`${RUNS} simulated cases, FC_SEED=${SEED}`);
    await using home = await tempDir("zot-interleavings-");
    furnish(home.path);
    const property = fc.asyncProperty(plan, (drawn) => simulate(drawn, home.path));
    await fc.assert(property, { seed: SEED, numRuns: RUNS, ...(PATH === undefined ? {} : { path: PATH }) });
  }, 240_000);

  test("real children that end anywhere leave nothing behind", async () => {
    console.log(`${REAL_RUNS} real cases, FC_SEED=${SEED}`);
    const plans = fc.sample(realPlan, { seed: SEED, numRuns: REAL_RUNS });
    const faults: string[] = [];
    const lane = async (): Promise<void> => {
      for (let next = plans.pop(); next !== undefined; next = plans.pop()) {
        await runReal(next).catch((error: unknown) => faults.push(`${String(error)}\n${JSON.stringify(next)}`));
      }
    };
    await Promise.all(Array.from({ length: REAL_AT_ONCE }, lane));
    expect(faults).toEqual([]);
  }, 120_000);
});
