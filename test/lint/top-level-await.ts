import { join, relative, sep } from "node:path";

/**
 * The files (paths relative to `folder`) that await at their top level. Asked of Bun's own parser: an ES module may do
 * so and a CommonJS one may not, so what it refuses only as the latter awaits. Throws when it refuses a file as both.
 */
export async function topLevelAwaits(folder: string, files: readonly string[]): Promise<string[]> {
  const [broken] = await refused(folder, files, "esm");
  if (broken !== undefined) throw new Error(`cannot parse ${broken}`);
  return await refused(folder, files, "cjs");
}

async function refused(folder: string, files: readonly string[], format: "esm" | "cjs"): Promise<string[]> {
  const { logs } = await Bun.build({
    entrypoints: files.map((file) => join(folder, file)),
    root: folder,
    format,
    target: "bun",
    external: ["*"],
    throw: false,
  });
  const places = logs.filter(({ level }) => level === "error").map(({ position }) => position?.file);
  const found = places.map((file) => (file === undefined ? "unknown" : relative(folder, file).split(sep).join("/")));
  return [...new Set(found)].sort();
}
