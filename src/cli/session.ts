import { resolve } from "node:path";
import type { Session } from "../agent/session/session.ts";
import { SessionStore } from "../agent/session/store.ts";
import type { SessionSummary } from "../agent/session/summary.ts";
import { CliError } from "./error.ts";
import { zotHome } from "./home.ts";
import { version } from "./version.ts";

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

/** How many sessions an error names. */
const SESSIONS_NAMED = 5;

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

/** The sessions of the project of a run. */
export function sessionStore(cwd: string, choice: SessionChoice, warn: (text: string) => void): SessionStore {
  return new SessionStore({ home: zotHome(process.env), cwd, version, saves: choice.kind !== "unsaved", warn });
}

/**
 * The conversation that is to go on; undefined when a new one is wanted. Throws `CliError` when the one that was asked
 * for is not there.
 */
export async function resumedSession(store: SessionStore, choice: SessionChoice): Promise<Session | undefined> {
  switch (choice.kind) {
    case "new":
    case "unsaved":
      return undefined;
    case "continue":
      return store.continueNewest();
    case "file":
      return sessionOf(await store.open(choice.path, { provider: "", model: "" }));
    case "resume":
      if (choice.id === undefined)
        throw new CliError("usage", `--resume needs an id here\n${listed(await store.list())}`);
      return sessionOf(await store.byId(choice.id));
  }
}

function sessionOf(opening: Awaited<ReturnType<SessionStore["byId"]>>): Session {
  if ("session" in opening) return opening.session;
  throw new CliError("usage", `${opening.fault}\n(zot sessions lists them)`);
}

function listed(sessions: readonly SessionSummary[]): string {
  if (sessions.length === 0) return "there is no session of this project yet";
  return sessions
    .slice(0, SESSIONS_NAMED)
    .map(({ id, title }) => `  ${id}  ${title}`)
    .join("\n");
}
