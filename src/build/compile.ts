import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { commandOrThrow } from "./command.ts";
import { BuildError } from "./error.ts";
import { fingerprint } from "./fingerprint.ts";
import { buildLibraries, haveLibraries } from "./libraries.ts";
import { withBuildLock } from "./lock.ts";
import { binary, dist, productVersion, root } from "./project.ts";
import { script } from "./script.ts";
import { smokeTest } from "./smoke.ts";
import { isStamped, stamp } from "./stamp.ts";
import { step } from "./step.ts";

const COMPILE_DEADLINE_MS = 5 * 60_000;
const SOURCES = ["src", "package.json", "bun.lock", "tsconfig.json"];
const compiled = join(dist, ".compiled");

if (import.meta.main) script(() => withBuildLock(compile));

/** Whether `dist/` holds what the sources in this checkout would give. */
export function isCompiled(): boolean {
  return existsSync(binary) && haveLibraries() && isStamped(compiled, fingerprint(SOURCES));
}

/**
 * Builds `dist/zot`, `dist/ext` and `dist/client`. Everything is made and tried in a folder of its own and only then
 * moved into place, so a failed or interrupted build leaves the last good one. The caller holds the build lock. Throws
 * `BuildError`.
 */
export async function compile(): Promise<void> {
  const sources = fingerprint(SOURCES);
  // One fixed name, which the build lock makes ours: what a killed build left in it goes away with the next one.
  const workshop = join(dist, ".build");
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(workshop, { recursive: true });
  try {
    const built = await buildBinary(workshop);
    await step("build dist/ext and dist/client", () => buildLibraries(workshop));
    renameSync(built, binary);
    stamp(compiled, sources);
  } finally {
    // Also takes the *.map files that --sourcemap leaves beside the binary, which carries its own map inside.
    rmSync(workshop, { recursive: true, force: true });
  }
}

async function buildBinary(workshop: string): Promise<string> {
  const built = join(workshop, basename(binary));
  const version = productVersion();
  await step("compile dist/zot", () => bundle(built, version, ["--bytecode"]));
  const fault = await step("try dist/zot", () => smokeTest(built, version));
  if (fault === undefined) return built;

  // Bytecode can be wrong without a word at build time (oven-sh/bun#37770), and costs only start-up time when left out.
  console.error(`WARNING: the binary with bytecode does not work: ${fault}`);
  console.error("WARNING: building it again WITHOUT bytecode; it will start more slowly. Please report this.");
  await step("compile dist/zot without bytecode", () => bundle(built, version, []));
  const second = await step("try dist/zot without bytecode", () => smokeTest(built, version));
  if (second === undefined) return built;
  throw new BuildError(`the binary does not work: ${second}`);
}

async function bundle(outfile: string, version: string, extra: readonly string[]): Promise<void> {
  const argv = [
    process.execPath,
    "build",
    "--compile",
    "--production",
    "--splitting",
    "--format=esm",
    "--minify",
    "--sourcemap",
    ...extra,
    // A project's .env and bunfig.toml (whose preload is code) must mean nothing to zot ...
    "--no-compile-autoload-dotenv",
    "--no-compile-autoload-bunfig",
    // ... but an extension's own package.json and tsconfig.json decide how its imports resolve.
    "--compile-autoload-package-json",
    "--compile-autoload-tsconfig",
    "--define",
    `ZOT_VERSION=${JSON.stringify(version)}`,
    "src/main.ts",
    "--outfile",
    outfile,
  ];
  await commandOrThrow(argv, { cwd: root, deadlineMs: COMPILE_DEADLINE_MS });
}
