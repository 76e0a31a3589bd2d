import { randomUUID } from "node:crypto";
import { lstat, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

const MiB = 1024 * 1024;

/** A file that the model names: its folder has to be there, and in the project. Links out of it do not count. */
export async function projectFile(project: string, path: string): Promise<string> {
  const wanted = resolve(project, path);
  const [root, folder] = await Promise.all([realpath(project), realpath(dirname(wanted))]);
  const file = join(folder, basename(wanted));
  // What is not there yet leads nowhere else; whatever else keeps it from being read shows when it is read.
  const inside = relative(root, await realpath(file).catch(() => file));
  const isOutside = inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (isOutside) throw new Error(`${path} is not in the project`);
  return file;
}

/** The whole file. Throws when it is larger than `maxMiB`. */
export async function readWhole(path: string, maxMiB: number): Promise<Buffer> {
  const { size } = await stat(path);
  if (size > maxMiB * MiB) throw new Error(`${basename(path)} is larger than ${maxMiB} MiB`);
  return await readFile(path);
}

/** Replaces the file in one step: whoever reads it finds the old one or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(fresh, text);
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Throws when there is something of that name, a link to nowhere included. */
export async function mustBeFree(path: string): Promise<void> {
  // Not there, or not to be seen: in that case `createPrivate` says what is wrong.
  const found = await lstat(path).catch(() => undefined);
  if (found !== undefined) throw new Error(`${basename(path)} is there already; move it away first`);
}

/** Writes a file that only the user may read. Throws when there is one of that name by now. */
export async function createPrivate(path: string, content: Uint8Array): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(content);
  } catch (error) {
    // Half a file would look like the whole one.
    await rm(path, { force: true });
    throw error;
  }
}
