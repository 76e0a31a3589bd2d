import { HostError } from "../error.ts";
import { explainSpawnError, resolveExec } from "./exec.ts";
import type { ExtensionLog } from "./log.ts";
import type { Manifest } from "./manifest.ts";
import { pathKind } from "./path-kind.ts";
import { ExtensionProcess } from "./process.ts";

export interface LaunchContext {
  /** Absolute `$ZOT_HOME`. */
  readonly home: string;
  /** The environment to hand down, before what is private to us is taken out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sourceRunner: readonly [string, ...string[]];
}

export interface Launched {
  readonly child: ExtensionProcess;
  /** How long its hello may take, in ms. */
  readonly helloDeadlineMs: number;
}

/** Starts the process of a manifest in its directory (extension-host.md §1.5, §1.6). Throws `HostError` "spawn". */
export function launch(manifest: Manifest, dir: string, log: ExtensionLog, context: LaunchContext): Launched {
  const { home, env, sourceRunner } = context;
  const resolved = resolveExec(manifest, { dir, path: env["PATH"], sourceRunner });
  if (resolved.note !== undefined) log.line(resolved.note);
  const fail = (text: string, cause?: unknown): HostError =>
    new HostError("spawn", `spawn (stderr log: ${log.path}): ${text}`, cause);
  const source = resolved.argv[sourceRunner.length];
  if (resolved.ownRuntime && source !== undefined && pathKind(source) !== "file") throw fail(`${source}: no such file`);
  try {
    const child = new ExtensionProcess({
      argv: resolved.argv,
      cwd: dir,
      // Ours came from the user's own, which may be relative to another directory than the child's.
      env: { ...env, ZOT_HOME: home, ZUT_HOME: env["ZUT_HOME"] || home },
      stderrFd: log.fd,
      dieWithParent: resolved.ownRuntime,
    });
    return { child, helloDeadlineMs: resolved.helloDeadlineMs };
  } catch (error) {
    throw fail(explainSpawnError(resolved.argv[0], error), error);
  }
}
