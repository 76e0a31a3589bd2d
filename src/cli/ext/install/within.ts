import { isAbsolute, relative, sep } from "node:path";

/** Where `path` is below `root`, with forward slashes: `""` for the root itself, undefined for anything outside. */
export function placeWithin(root: string, path: string): string | undefined {
  const place = relative(root, path);
  if (place === ".." || place.startsWith(`..${sep}`) || isAbsolute(place)) return undefined;
  return place.split(sep).join("/");
}
