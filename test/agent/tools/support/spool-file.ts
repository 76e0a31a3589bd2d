import { readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** The file that holds the full output of a command; disposing it removes its folder. */
export interface SpoolFile extends AsyncDisposable {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Reads the file that a bash result names; throws when it names none. */
export async function spoolOf(text: string): Promise<SpoolFile> {
  const path = /\(full output: ([^)]+)\)$/.exec(text)?.[1];
  if (path === undefined) throw new Error(`no file named in: ${text.slice(-200)}`);
  return {
    path,
    bytes: await readFile(path),
    [Symbol.asyncDispose]: () => rm(dirname(path), { recursive: true }),
  };
}
