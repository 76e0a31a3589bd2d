import type { Session } from "../../../agent/session/session.ts";
import type { SessionSummary } from "../../../agent/session/summary.ts";
import type { LoadErrors } from "../extensions/load-errors.ts";
import type { BuiltinCommand } from "./command.ts";
import type { Desk } from "./desk.ts";

const USAGE = "/session shows it; /session fork, /session rename TITLE, /session tree";

/** The desk, and what stays on the screen whatever conversation is open. */
export interface SessionDesk extends Desk {
  readonly loadErrors: LoadErrors;
}

/** `/sessions`, `/resume` and `/session`: conversations on disk. */
export function sessionCommands(desk: SessionDesk): BuiltinCommand[] {
  return [
    {
      name: "resume",
      aliases: ["sessions"],
      hint: "[id]",
      description: "go on with an earlier conversation of this directory",
      run: (args) => resume(desk, args),
    },
    {
      name: "session",
      hint: "[fork|rename TITLE|tree]",
      description: "the open conversation: see, fork or rename it",
      run: (args) => session(desk, args),
    },
  ];
}

async function resume(desk: SessionDesk, id: string): Promise<void> {
  if (id !== "") {
    await openById(desk, id);
    return;
  }
  const { agent, dialogs, sessions, say } = desk;
  const list = (await sessions.list()).filter((summary) => summary.id !== agent.session.id);
  if (list.length === 0) {
    say("There is no other conversation of this directory.");
    return;
  }
  const items = list.map((summary) => ({ value: summary.id, label: titleOf(summary), description: whenOf(summary) }));
  const chosen = await dialogs.pick({ title: "go on with", items });
  if (chosen !== undefined) await openById(desk, chosen);
}

async function openById(desk: SessionDesk, id: string): Promise<void> {
  const opening = await desk.sessions.byId(id);
  if ("fault" in opening) desk.fail(opening.fault);
  else await goOnWith(desk, opening.session);
}

/** The former session is written to its end and its file set free; notes belonged to it (extension-host.md §5.4). */
async function goOnWith({ agent, host, loadErrors }: SessionDesk, session: Session): Promise<void> {
  (await agent.openSession(session)).close();
  host.chrome.notes.dismiss();
  loadErrors.show();
}

async function session(desk: SessionDesk, args: string): Promise<void> {
  const { agent, say, fail } = desk;
  const [verb = "", ...rest] = args.split(/\s+/);
  switch (verb) {
    case "":
      say(describe(agent.session));
      break;
    case "fork":
      await goOnWith(desk, await agent.session.fork());
      say("This is a fork now; /session tree finds the way back.");
      break;
    case "rename":
      if (rest.length === 0) fail(`/session rename needs a title`);
      else agent.session.rename(rest.join(" "));
      break;
    case "tree":
      await tree(desk);
      break;
    default:
      fail(`/session does not know ${verb}; ${USAGE}`);
  }
}

function describe({ title, id, path, isSaved, messages, meta }: Session): string {
  return [
    title === "" ? "A conversation without a title" : title,
    `  id        ${id}`,
    ...(meta.parent === undefined ? [] : [`  fork of   ${meta.parent}`]),
    `  messages  ${messages.length}`,
    `  file      ${isSaved ? path : "not saved"}`,
    `  ${USAGE}`,
  ].join("\n");
}

async function tree(desk: SessionDesk): Promise<void> {
  const { agent, dialogs, sessions } = desk;
  const rows = branches(await sessions.list());
  const items = rows.map(({ summary, depth }) => ({
    value: summary.id,
    label: `${"  ".repeat(depth)}${depth > 0 ? "└ " : ""}${titleOf(summary)}${summary.id === agent.session.id ? " (open)" : ""}`,
    description: whenOf(summary),
  }));
  const initial = rows.findIndex(({ summary }) => summary.id === agent.session.id);
  const chosen = await dialogs.pick({
    title: "conversations and their forks",
    items,
    initial,
    empty: "nothing is saved yet",
  });
  if (chosen !== undefined && chosen !== agent.session.id) await openById(desk, chosen);
}

interface Branch {
  readonly summary: SessionSummary;
  readonly depth: number;
}

/** Every session below the one that it was forked from; one whose parent is gone stands for itself. */
function branches(list: readonly SessionSummary[]): Branch[] {
  const ids = new Set(list.map(({ id }) => id));
  const seen = new Set<string>();
  const below = (parent: string | undefined, depth: number): Branch[] =>
    list
      .filter((summary) => parentOf(summary, ids) === parent && !seen.has(summary.id))
      .flatMap((summary) => {
        // A file that was edited by hand may make a circle.
        seen.add(summary.id);
        return [{ summary, depth }, ...below(summary.id, depth + 1)];
      });
  return below(undefined, 0);
}

function parentOf({ parent, id }: SessionSummary, ids: ReadonlySet<string>): string | undefined {
  return parent !== undefined && parent !== id && ids.has(parent) ? parent : undefined;
}

function titleOf({ title, id }: SessionSummary): string {
  return title === "" ? id : title;
}

function whenOf({ modified, model }: SessionSummary): string {
  const when = new Date(modified).toLocaleString("sv").slice(0, 16);
  return model === "" ? when : `${when}, ${model}`;
}
