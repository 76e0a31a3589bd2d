import { resolve } from "node:path";
import { CliError } from "./error.ts";

/** Which conversation a run begins with (cli.md). */
export type SessionChoice =
  | { readonly kind: "new" }
  /** `--no-session`: nothing is written. */
  | { readonly kind: "unsaved" }
  /** `--continue`: the newest of this project. */
  | { readonly kind: "continue" }
  /** `--resume [ID]`; without an id a human is asked. */
  | { readonly kind: "resume"; readonly id?: string }
  /** `--session PATH`. */
  | { readonly kind: "file"; readonly path: string };

export interface SessionFlags {
  readonly continue?: boolean;
  readonly resume?: string;
  readonly session?: string;
  readonly "no-session"?: boolean;
}

/** Reads the flags; two that contradict each other are a `CliError`. */
export function sessionChoice(flags: SessionFlags): SessionChoice {
  const choices: SessionChoice[] = [];
  if (flags.continue === true) choices.push({ kind: "continue" });
  if (flags.resume !== undefined)
    choices.push(flags.resume === "" ? { kind: "resume" } : { kind: "resume", id: flags.resume });
  if (flags.session !== undefined) choices.push({ kind: "file", path: resolve(flags.session) });
  if (flags["no-session"] === true) choices.push({ kind: "unsaved" });
  const [choice = { kind: "new" }, ...others] = choices;
  if (others.length > 0)
    throw new CliError("usage", "only one of --continue, --resume, --session and --no-session can be given");
  return choice;
}
