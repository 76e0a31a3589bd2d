import { existsSync, statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { keptFrom } from "../../../../agent/compaction.ts";
import type { AgentError } from "../../../../agent/error.ts";
import { faultText, RpcError } from "../../error.ts";
import { textField } from "../../fields.ts";
import { ANSWERED, fail, type Handlers, type OmpContext, succeed } from "../context.ts";

/** Changing the conversation for another. What runs is ended without a word of it (rpc-wire.md §3.1). */
export const sessionCommands: Handlers = {
  new_session: async (context) => {
    await change(context, () => context.conversation.begin());
    return { cancelled: false };
  },

  open_session: async (context, command) => {
    const folder = path(context, textField(command, "sessionDir"));
    if (existsSync(folder) && !statSync(folder).isDirectory()) throw new RpcError(`${folder}: not a directory`);
    const resumed = await change(context, () => context.conversation.openNewestIn(folder));
    const { id: sessionId, file: sessionFile } = context.conversation;
    return { cancelled: false, resumed, sessionId, sessionFile };
  },

  switch_session: async (context, command) => {
    const file = path(context, textField(command, "sessionPath"));
    await change(context, () => context.conversation.openFile(file));
    return { cancelled: false };
  },

  branch: async (context, command) => {
    const { conversation } = context;
    const entryId = textField(command, "entryId");
    // Asked before anything is ended: an id that is none changes nothing.
    if (!conversation.entries.some(({ id, message }) => id === entryId && message.role === "user")) {
      throw new RpcError("Invalid entry ID for branching");
    }
    const text = await change(context, () => conversation.branch(entryId));
    return { text, cancelled: false };
  },

  compact: ({ engine, conversation, writer }, command) => {
    const { agent } = engine;
    const { customInstructions } = command.fields;
    if (agent.busy) throw new RpcError("Cannot compact while a response is in progress", "session_busy");
    const firstKeptEntryId = conversation.entryIdAt(keptFrom(agent.session.messages));
    // The model takes its time; an abort has to get through meanwhile.
    agent.compact(typeof customInstructions === "string" ? customInstructions : "").then(
      (end) => {
        if (end.kind === "compacted") {
          const { summary, tokensBefore } = end;
          succeed(writer, command, { summary, firstKeptEntryId, tokensBefore });
        } else fail(writer, command, end.kind === "aborted" ? "Compaction cancelled" : compactFault(end.error));
      },
      (error: unknown) => fail(writer, command, faultText(error)),
    );
    return ANSWERED;
  },

  fork: async (context, { fields }) => {
    if (context.engine.agent.busy) throw new RpcError("Cannot fork while a response is in progress", "session_busy");
    const { entryId } = fields;
    await change(context, () => context.conversation.fork(typeof entryId === "string" ? entryId : undefined));
    return { cancelled: false };
  },
};

function compactFault({ code, message }: AgentError): string {
  return code === "blocked" ? "Nothing to compact (session too small)" : message;
}

async function change<T>(context: OmpContext, open: () => Promise<T>): Promise<T> {
  const { lifecycle, aside, catalogue } = context;
  await aside.end();
  await lifecycle.interrupt();
  const result = await open();
  catalogue.announce();
  return result;
}

function path({ engine }: OmpContext, given: string): string {
  return isAbsolute(given) ? given : resolve(engine.cwd, given);
}
