/** The commands beside a run. Known without the command tree, which a plain run does not load. */
export const COMMAND_NAMES = ["ext", "rpc", "models", "sessions", "help"] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];

export function isCommandName(word: string | undefined): boolean {
  return COMMAND_NAMES.some((name) => name === word);
}
