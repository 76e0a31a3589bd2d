/**
 * The argv prefix that runs a source file in this executable. From source there is no such executable: then Bun runs
 * our own entry file.
 */
export const sourceRunner: readonly [string, ...string[]] = Bun.isStandaloneExecutable
  ? [process.execPath, "__run-ext"]
  : [process.execPath, Bun.main, "__run-ext"];
