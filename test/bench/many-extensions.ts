import { join } from "node:path";
import { BuildError } from "../../src/build/error.ts";
import { binary } from "../../src/build/project.ts";
import { LineReader } from "../../src/wire/line-reader.ts";
import { startChild } from "./child.ts";
import { bundleExtension, writeExtension } from "./extension.ts";
import { compared, interleave, type Measurement } from "./measure.ts";
import { childrenOf, ownShareMb } from "./memory.ts";

const COUNT = 50;
const ROUNDS = 5;
const DEADLINE_MS = 60_000;

/** All children of one kind ready, and what they weigh then. */
interface Crowd {
  readonly readyMs: number;
  readonly shareMb: readonly number[];
}

/** 50 TypeScript extensions ready in one run of zot, against 50 bare Bun processes started side by side. */
export async function benchManyExtensions(folder: string): Promise<Measurement[]> {
  const sources = Array.from({ length: COUNT }, (_, index) => writeExtension(folder, `ext${index}`));
  const bundled = await bundleExtension(folder, sources[0] ?? "");
  const weights = { ours: [] as number[], baseline: [] as number[] };
  const samples = await interleave(
    ROUNDS,
    async () => {
      const crowd = await crowdOfZot(folder, sources);
      weights.ours.push(...crowd.shareMb);
      return crowd.readyMs;
    },
    async () => {
      const crowd = await crowdOfBun(folder, bundled);
      weights.baseline.push(...crowd.shareMb);
      return crowd.readyMs;
    },
  );
  const time = compared({ name: `${COUNT} extensions ready`, unit: "ms", against: `${COUNT} x bun index.ts` }, samples);
  // Only Linux tells.
  if (weights.ours.length === 0) return [time];
  const share = { name: "memory of each (PSS)", unit: "MB", against: "bun index.ts" } as const;
  return [time, compared(share, weights)];
}

async function crowdOfZot(folder: string, sources: readonly string[]): Promise<Crowd> {
  const extensions = sources.flatMap((source) => ["--ext", join(source, "..")]);
  // The turn begins when every extension is ready; the model then sleeps long enough for them to be weighed.
  const argv = [binary, "--json", "--provider", "offline", "--no-ext", ...extensions, "sleep 700"];
  const env = { ...process.env, ZOT_HOME: join(folder, "home") };
  const started = performance.now();
  const zot = Bun.spawn(argv, { cwd: folder, env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  const timer = setTimeout(() => zot.kill("SIGKILL"), DEADLINE_MS);
  try {
    let crowd: Crowd | undefined;
    for await (const line of new LineReader(zot.stdout)) {
      if (crowd !== undefined || !line.includes('"type":"turn_start"')) continue;
      const readyMs = performance.now() - started;
      const children = childrenOf(zot.pid);
      if (process.platform === "linux" && children.length !== sources.length) {
        throw new BuildError(`${sources.length} extensions were to be ready and ${children.length} run`);
      }
      crowd = { readyMs, shareMb: shares(children) };
    }
    if (crowd === undefined) throw new BuildError("zot ended before its first turn");
    return crowd;
  } finally {
    clearTimeout(timer);
    zot.kill();
    await zot.exited;
  }
}

async function crowdOfBun(folder: string, bundled: string): Promise<Crowd> {
  const started = performance.now();
  const argv = [process.execPath, bundled];
  const children = await Promise.all(Array.from({ length: COUNT }, () => startChild(argv, folder)));
  const readyMs = performance.now() - started;
  const shareMb = shares(children.map(({ pid }) => pid));
  await Promise.all(children.map((child) => child.stop()));
  return { readyMs, shareMb };
}

function shares(pids: readonly number[]): number[] {
  return pids.map(ownShareMb).filter((share) => share !== undefined);
}
