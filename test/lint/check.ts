import { command } from "../../src/build/command.ts";
import { root } from "../../src/build/project.ts";
import { script } from "../../src/build/script.ts";
import { elapsed } from "../../src/build/step.ts";

const DEADLINE_MS = 5 * 60_000;

// Every tool is run by this Bun: the shims in node_modules/.bin ask for a `node` that may not be there.
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: ["node_modules/typescript/bin/tsc", "--noEmit", "-p", "."],
  "lint and format": [
    "node_modules/@biomejs/biome/bin/biome",
    "check",
    "--config-path=test/lint/zot-biome.json",
    "--error-on-warnings",
    "--max-diagnostics=100",
    ".",
  ],
  "unused code": ["node_modules/knip/bin/knip-bun.js", "--no-progress"],
  floors: ["test", "./test/lint/floors.test.ts"],
};

script(async () => {
  const verdicts = await Promise.all(Object.entries(CHECKS).map(([name, args]) => check(name, args)));
  if (verdicts.includes(false)) process.exit(1);
});

async function check(name: string, args: readonly string[]): Promise<boolean> {
  const started = performance.now();
  const { code, output } = await run(args);
  const passed = code === 0;
  console.error(`check ${name}: ${passed ? "ok" : "FAILED"} (${elapsed(performance.now() - started)})`);
  if (!passed) console.error(`${output.trim()}\n`);
  return passed;
}

async function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  try {
    const { code, stdout, stderr } = await command([process.execPath, ...args], { cwd: root, deadlineMs: DEADLINE_MS });
    return { code, output: stdout + stderr };
  } catch (error) {
    // A check that hangs or cannot start has failed; the others still have their say.
    return { code: 1, output: error instanceof Error ? error.message : String(error) };
  }
}
