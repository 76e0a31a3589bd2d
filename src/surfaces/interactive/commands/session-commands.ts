import type { Session } from "../../../agent/session/session.ts";
import type { SessionSummary } from "../../../agent/session/summary.ts";
import { LlmError } from "../../../llm/error.ts";
import type { BuiltinCommand } from "./command.ts";
import type { Desk } from "./desk.ts";

const USAGE = "/session shows it; /session fork, /session rename TITLE, /session tree";

/** `/sessions`, `/resume` and `/session`: conversations on disk. */
export function sessionCommands(desk: Desk): BuiltinCommand[] {
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

async function resume(desk: Desk, id: string): Promise<void> {
  if (id !== "") {
    await openById(desk, id);
    return;
  }
  await resumeOneOf(desk, await desk.sessions.list());
}

/**
 * Lets the user choose; the picker is open when this returns.
 * @param ready what has to be over before the chosen one is opened
 */
export async function resumeOneOf(
  desk: Desk,
  list: readonly SessionSummary[],
  ready: Promise<void> = Promise.resolve(),
): Promise<void> {
  const { agent, dialogs, say } = desk;
  const others = list.filter((summary) => summary.id !== agent.session.id);
  if (others.length === 0) {
    say("There is no other conversation of this directory.");
    return;
  }
  const items = others.map((summary) => ({ value: summary.id, label: titleOf(summary), description: whenOf(summary) }));
  const chosen = await dialogs.pick({ title: "go on with", items });
  await ready;
  if (chosen !== undefined) await openById(desk, chosen);
}

async function openById(desk: Desk, id: string): Promise<void> {
  if (id === desk.agent.session.id) {
    desk.say("That conversation is open already.");
    return;
  }
  const opening = await desk.sessions.byId(id);
  if ("fault" in opening) desk.fail(`${opening.fault}; /resume lists those of this directory`);
  else await goOnWith(desk, opening.session);
}

/** The former session is written to its end and its file set free; notes belonged to it (extension-host.md §5.4). */
async function goOnWith(desk: Desk, session: Session): Promise<void> {
  const { agent, host, warnings, loadErrors } = desk;
  (await agent.openSession(session)).close();
  host.chrome.notes.dismiss();
  warnings.again();
  loadErrors.show();
  await takeModel(desk, session);
}

/** A conversation goes on with the model that it was held with, where there is a key for it. */
async function takeModel({ agent, models, keepsModel, say }: Desk, { meta }: Session): Promise<void> {
  const { provider, model } = meta;
  const isSame = provider === agent.model.provider && model === agent.model.id;
  if (keepsModel || isSame || provider === "" || model === "") return;
  try {
    agent.setModel(await models.open(provider, model));
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    say(`It was held with ${provider}/${model}, which cannot be used now: ${error.message}`);
  }
}

async function session(desk: Desk, args: string): Promise<void> {
  const { agent, say, fail } = desk;
  const [verb = "", ...rest] = args.split(/\s+/);
  switch (verb) {
    case "":
      say(describe(agent.session));
      break;
    case "fork":
      if (agent.session.messages.length === 0) {
        fail("there is nothing to fork yet");
        break;
      }
      await goOnWith(desk, await agent.session.fork());
      say(
        agent.session.isSaved
          ? "This is a fork now; /session tree finds the way back."
          : "This is a fork now; neither it nor what it came from is kept.",
      );
      break;
    case "rename":
      if (rest.length === 0) {
        fail("/session rename needs a title");
        break;
      }
      agent.session.rename(rest.join(" "));
      say(`This conversation is called "${agent.session.title}" now.`);
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

async function tree(desk: Desk): Promise<void> {
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
