import * as v from "valibot";
import type { Command } from "../../command.ts";
import { RpcError } from "../../error.ts";
import { readFields, textField } from "../../fields.ts";
import { readImage } from "../../image.ts";
import { PROMPT_IMAGES_MAX } from "../../limits.ts";
import { ANSWERED, type Handlers, type OmpContext, succeed } from "../context.ts";
import type { Content } from "../lifecycle.ts";
import { queuedText } from "../queued-text.ts";

const BUSY = "Agent is already processing. Use steer() or followUp() to queue messages, or wait for completion.";

const inputSchema = v.looseObject({
  message: v.string(),
  images: v.nullish(
    v.pipe(
      v.array(v.looseObject({ data: v.string(), mimeType: v.nullish(v.string(), "") })),
      v.maxLength(PROMPT_IMAGES_MAX),
    ),
    () => [],
  ),
});

const behaviourSchema = v.looseObject({ streamingBehavior: v.nullish(v.picklist(["steer", "followUp"])) });
const queueSchema = v.looseObject({
  message: v.string(),
  queue: v.picklist(["steering", "followUp"]),
  match: v.nullish(v.picklist(["first", "last"]), "first"),
});

/** What a user says: now, meanwhile, or not after all (rpc-wire.md §3.1). */
export const promptCommands: Handlers = {
  prompt: async (context, command) => {
    const content = contentOf(command);
    const { streamingBehavior } = readFields(behaviourSchema, command);
    const { lifecycle, slash, writer } = context;
    const text = textField(command, "message", { canBeEmpty: true });
    if (await slash.runLocal(text)) return { agentInvoked: false };
    const kind = streamingBehavior === "steer" ? "steer" : "follow_up";
    if (slash.isExtensionCommand(text)) {
      const accepted = lifecycle.accept(command.id);
      succeed(writer, command);
      void slash.runExtensionCommand(text, kind, accepted);
      return ANSWERED;
    }
    refuseIfFull(context);
    const isRunning = context.engine.agent.busy && !lifecycle.isCompacting;
    if (isRunning && streamingBehavior === undefined) throw new RpcError(BUSY);
    const accepted = lifecycle.accept(command.id);
    succeed(writer, command);
    lifecycle.say(content, kind, accepted);
    return ANSWERED;
  },

  steer: (context, command) => say(context, command, "steer"),
  follow_up: (context, command) => say(context, command, "follow_up"),

  abort: async ({ lifecycle, writer, slash, dialogs, engine }, command) => {
    // What an extension asks now, it asks for the run or the command that ends.
    if (engine.agent.busy || slash.isRunning) dialogs.cancel((owner) => owner !== undefined);
    slash.abort();
    await lifecycle.abort(() => succeed(writer, command));
    return ANSWERED;
  },

  abort_and_prompt: async (context, command) => {
    const { lifecycle, writer } = context;
    const content = contentOf(command);
    const accepted = lifecycle.accept(command.id);
    lifecycle.begin();
    await lifecycle.abort(() => succeed(writer, command));
    lifecycle.say(content, "follow_up", accepted);
    lifecycle.over();
    return ANSWERED;
  },

  abort_and_restore_queue: async ({ engine, lifecycle, writer }, command) => {
    const waiting = engine.agent.queue.waiting;
    const withdrawn = (kind: string): object[] => {
      return waiting.filter((prompt) => prompt.kind === kind).map(({ content }) => queuedText(content));
    };
    const data = { steering: withdrawn("steer"), followUp: withdrawn("follow_up") };
    for (const prompt of waiting) lifecycle.withdraw(prompt);
    await lifecycle.abort(() => succeed(writer, command, data));
    return ANSWERED;
  },

  remove_queued_message: ({ engine, lifecycle }, command) => {
    const { message, queue, match } = readFields(queueSchema, command);
    const found = engine.agent.queue.waiting.filter(
      ({ kind, content }) => (kind === "steer") === (queue === "steering") && queuedText(content).text === message,
    );
    const prompt = match === "last" ? found.at(-1) : found[0];
    if (prompt !== undefined) lifecycle.withdraw(prompt);
    return { removed: prompt !== undefined };
  },

  promote_queued_message: ({ engine, lifecycle }, command) => {
    const { queue } = engine.agent;
    const message = textField(command, "message", { canBeEmpty: true });
    const prompt = queue.waiting.find(
      ({ kind, content }) => kind === "follow_up" && queuedText(content).text === message,
    );
    if (prompt === undefined || !queue.promote(prompt.id)) return { promoted: false };
    lifecycle.wake();
    return { promoted: true };
  },
};

async function say(context: OmpContext, command: Command, kind: "steer" | "follow_up"): Promise<typeof ANSWERED> {
  const content = contentOf(command);
  refuseIfFull(context);
  succeed(context.writer, command);
  context.lifecycle.say(content, kind);
  return ANSWERED;
}

function refuseIfFull({ engine }: OmpContext): void {
  if (engine.agent.busy && engine.agent.queue.isFull) throw new RpcError("Too many messages are queued already");
}

function contentOf(command: Command): Content {
  const { message, images } = readFields(inputSchema, command);
  const blocks = (images ?? []).map(({ data, mimeType }) => readImage(mimeType ?? "", data));
  if (message.trim() === "" && blocks.length === 0) throw new RpcError(`${command.type} requires a message`);
  return message.trim() === "" ? blocks : [{ type: "text", text: message }, ...blocks];
}
