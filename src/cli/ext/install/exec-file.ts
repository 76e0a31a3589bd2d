import { isAbsolute } from "node:path";
import { resolveExec } from "../../../host/launch/exec.ts";
import type { Manifest } from "../../../host/launch/manifest.ts";

export interface ExecFile {
  /** Absolute. */
  readonly path: string;
  /** True when zot itself runs it, so that it need not be executable. */
  readonly isSource: boolean;
}

/** The file that `exec` names below `dir`; undefined when it is a bare word, for PATH to find (extension-host.md §1.5). */
export function execFile({ exec, runtime }: Pick<Manifest, "exec" | "runtime">, dir: string): ExecFile | undefined {
  if (exec === "") return undefined;
  // With nothing in PATH only a path resolves to a file.
  const launch = resolveExec({ exec, args: [], runtime }, { dir, path: undefined, sourceRunner: ["zot"] });
  const path = launch.ownRuntime ? launch.argv[1] : launch.argv[0];
  return path !== undefined && isAbsolute(path) ? { path, isSource: launch.ownRuntime } : undefined;
}

/** True when neither PATH nor zot itself can start a bare `exec`. */
export function isMissingFromPath(manifest: Pick<Manifest, "exec" | "args" | "runtime">, dir: string): boolean {
  const launch = resolveExec(manifest, { dir, path: process.env["PATH"], sourceRunner: ["zot"] });
  return !launch.ownRuntime && !isAbsolute(launch.argv[0]);
}
