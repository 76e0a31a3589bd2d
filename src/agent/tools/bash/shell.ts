import { existsSync } from "node:fs";

const POSIX_BASH = "/bin/bash";

/** The program and arguments that run a command line (extension-host.md §8.1). */
export function shellCommand(command: string): string[] {
  if (process.platform === "win32") return ["cmd", "/C", command];
  const bash = existsSync(POSIX_BASH) ? POSIX_BASH : Bun.which("bash");
  return [bash ?? "/bin/sh", "-c", command];
}

const INTERNAL = /^(?:BUN_BE_BUN|BUN_OPTIONS|BUN_INSPECT.*|BUN_JSC_.*|BUN_FEATURE_FLAG_NO_ORPHANS)$/;

/**
 * The environment of a command: ours, without what steers the runtime inside our executable. With `BUN_BE_BUN` set, a
 * command that runs `zot` would get a bare `bun`.
 */
export function commandEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !INTERNAL.test(name)) kept[name] = value;
  }
  return kept;
}
