import { sep } from "node:path";
import { sessionsRoot } from "../agent/session/path.ts";
import type { Session } from "../agent/session/session.ts";

/** The command line that goes on with a conversation; undefined when nothing of it was kept. */
export function wayBack(session: Session, home: string): string | undefined {
  if (!session.isSaved || session.messages.length === 0) return undefined;
  const isFound = session.path.startsWith(sessionsRoot(home) + sep);
  return isFound ? `zot --resume ${session.id}` : `zot --session ${shellWord(session.path)}`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
