import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandOrThrow } from "../../src/build/command.ts";
import { binary } from "../../src/build/project.ts";
import { compared, interleave, type Measurement, timed } from "./measure.ts";

const ROUNDS = 31;
const DEADLINE_MS = 60_000;

/** `zot --version` against the least that a compiled program can do. */
export async function benchStart(folder: string): Promise<Measurement[]> {
  const source = join(folder, "hello.ts");
  const hello = join(folder, "hello");
  writeFileSync(source, 'console.log("hello");\n');
  const build = [process.execPath, "build", "--compile", "--minify", "--bytecode", "--format=esm", source, "--outfile"];
  await commandOrThrow([...build, hello], { cwd: folder, deadlineMs: DEADLINE_MS });

  const run = (argv: string[]) => () => timed(() => commandOrThrow(argv, { cwd: folder, deadlineMs: DEADLINE_MS }));
  const samples = await interleave(ROUNDS, run([binary, "--version"]), run([hello]));
  return [compared({ name: "zot --version", unit: "ms", against: "compiled hello world", promise: 2 }, samples)];
}
