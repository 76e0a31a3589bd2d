import { basename } from "node:path";
import { openScreen, type Screen } from "../../interactive/support/screen.ts";
import type { ZotWorld } from "./zot-world.ts";

/** The screen of a zot with these extensions, once all of them are ready. */
export async function openWorld(world: ZotWorld, ...dirs: readonly string[]): Promise<Screen> {
  return openWorldWith(world, [], ...dirs);
}

/** The same with more flags. */
export async function openWorldWith(
  world: ZotWorld,
  flags: readonly string[],
  ...dirs: readonly string[]
): Promise<Screen> {
  const { home, cwd } = world.extensions;
  const screen = await openScreen([...world.flags(dirs), ...flags], { home, cwd, env: { COLORTERM: "truecolor" } });
  for (const dir of dirs) await screen.shows(new RegExp(`\\b${basename(dir)} \\(\\d+ ms\\)`));
  return screen;
}
