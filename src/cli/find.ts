import type { CommandDef } from "citty";

export interface Found {
  readonly command: CommandDef;
  /** Names of the commands on the way, without `zot`. */
  readonly path: readonly string[];
  /** What is left of the words. */
  readonly rest: readonly string[];
}

/** Walks the tree from `root` along leading words; flags end the walk. */
export async function find(root: CommandDef, words: readonly string[]): Promise<Found> {
  let found: Found = { command: root, path: [], rest: words };
  for (;;) {
    const [word, ...rest] = found.rest;
    const children = await subCommands(found.command);
    const child = word === undefined || !Object.hasOwn(children, word) ? undefined : children[word];
    if (word === undefined || child === undefined) return found;
    const command = await (typeof child === "function" ? child() : child);
    found = { command, path: [...found.path, word], rest };
  }
}

/** The children of a command; none for a leaf. */
export async function subCommands(command: CommandDef): Promise<NonNullable<Awaited<Resolved>>> {
  const { subCommands: children } = command;
  return (await (typeof children === "function" ? children() : children)) ?? {};
}

type Resolved = Exclude<CommandDef["subCommands"], () => unknown>;
