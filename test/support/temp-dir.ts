import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of one test: `await using dir = await tempDir()` removes it at the end of the scope. */
export interface TempDir extends AsyncDisposable {
  /** Absolute, without symlinks. */
  readonly path: string;
}

export async function tempDir(prefix = "zot-test-"): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  return {
    path,
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
