import { afterAll, beforeAll, describe, test } from "bun:test";
import fc from "fast-check";
import { type TempDir, tempDir } from "../support/temp-dir.ts";
import { plan } from "./interleavings/plan.ts";
import { furnish, Simulation } from "./interleavings/simulation.ts";

const seed = Number(process.env["FC_SEED"] ?? Date.now() % 2 ** 31);
const runs = Number(process.env["FC_RUNS"] ?? 2000);
let home: TempDir;
beforeAll(async () => {
  home = await tempDir("zot-sim-");
  furnish(home.path);
});
afterAll(async () => {
  await home[Symbol.asyncDispose]();
});
describe("sim", () => {
  test("all", async () => {
    console.log("seed", seed);
    const t = Bun.nanoseconds();
    await fc.assert(
      fc.asyncProperty(plan, (p) => Simulation.run(p, home.path)),
      {
        seed,
        numRuns: runs,
        ...(process.env["FC_PATH"] ? { path: process.env["FC_PATH"] } : {}),
        endOnFailure: !!process.env["FC_PATH"],
      },
    );
  }, 400_000);
});
