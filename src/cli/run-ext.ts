import * as sdk from "../sdk/api.ts";
import { consoleToStderr } from "../sdk/console.ts";
import { keepFramesOnStdout } from "./run-ext-console.ts";
import { shedRuntimeVariables } from "./run-ext-environment.ts";
import { printFailure } from "./run-ext-failure.ts";

// Everything imported here is on the way from spawn to ready of every extension: node:fs alone would add a millisecond.

/**
 * Runs the extension source `file` (absolute) in this process, as `bun file …args` would, with `zot/ext` resolved to
 * the SDK inside the executable. Ends the process with code 1 on an error that the extension does not catch.
 */
export async function runExtension(file: string, args: readonly string[]): Promise<void> {
  shedRuntimeVariables();
  keepFramesOnStdout();
  provideSdk();
  endOnUncaught(file);
  process.argv.splice(0, process.argv.length, "bun", file, ...args);
  try {
    await import(Bun.pathToFileURL(file).href);
  } catch (error) {
    crash(error, file);
  }
}

function provideSdk(): void {
  Bun.plugin({
    name: "zot/ext",
    setup(build) {
      build.module("zot/ext", () => {
        // From here on the SDK alone writes frames.
        consoleToStderr();
        return { exports: { ...sdk }, loader: "object" };
      });
    },
  });
}

/**
 * Without this Bun would print the error and go on for as long as the extension awaits something at its top level.
 * An extension that listens itself has taken the decision upon itself.
 */
function endOnUncaught(file: string): void {
  for (const event of ["uncaughtException", "unhandledRejection"]) {
    process.on(event, (error: unknown) => {
      if (process.listenerCount(event) === 1) crash(error, file);
    });
  }
}

function crash(error: unknown, file: string): never {
  printFailure(error, file);
  process.exit(1);
}
