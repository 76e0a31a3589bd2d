import type { Session } from "../agent/session/session.ts";
import { SessionStore } from "../agent/session/store.ts";
import type { SessionSummary } from "../agent/session/summary.ts";
import { CliError } from "./error.ts";
import { zotHome } from "./home.ts";
import type { SessionChoice } from "./session-choice.ts";
import { version } from "./version.ts";

/** How many sessions an error names. */
const SESSIONS_NAMED = 5;

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
