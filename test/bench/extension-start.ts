import { binary } from "../../src/build/project.ts";
import { startChild } from "./child.ts";
import { bundleExtension, writeExtension } from "./extension.ts";
import { compared, interleave, type Measurement } from "./measure.ts";

const ROUNDS = 31;

/** From spawn to `ready` of a TypeScript extension from source, against Bun itself running the same with its SDK. */
export async function benchExtensionStart(folder: string): Promise<Measurement[]> {
  const source = writeExtension(folder, "start");
  const bundled = await bundleExtension(folder, source);
  const run = (argv: string[]) => async () => {
    const child = await startChild(argv, folder);
    await child.stop();
    return child.readyMs;
  };
  const samples = await interleave(ROUNDS, run([binary, "__run-ext", source]), run([process.execPath, bundled]));
  return [compared({ name: ".ts extension ready", unit: "ms", against: "bun index.ts", promise: 2 }, samples)];
}
