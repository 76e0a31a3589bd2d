import { encodeFrame } from "./encode.ts";
import type { IncomingFrame, OutgoingFrame } from "./frames.ts";
import { textIn } from "./frames.ts";
import type { HostInfo } from "./host-info.ts";
import type { Panel } from "./panel.ts";

/** What the host does when a command has ended (extension-host.md §4.1). Made by the functions below. */
export type CommandReply =
  | { readonly action: "prompt"; readonly prompt: string }
  | { readonly action: "insert"; readonly insert: string }
  | { readonly action: "display"; readonly display: string }
  | { readonly action: "open_panel"; readonly open_panel: Panel }
  | { readonly action: "noop" };

/** Submits `text` as a user message; the agent runs a turn on it. */
export function prompt(text: string): CommandReply {
  return { action: "prompt", prompt: text };
}

/** Puts `text` into the editor at the cursor, unsent. */
export function insert(text: string): CommandReply {
  return { action: "insert", insert: text };
}

/** Shows `text` as a note. No model call, nothing in the transcript. */
export function display(text: string): CommandReply {
  return { action: "display", display: text };
}

/** Opens a panel that belongs to this extension. */
export function openPanel(panel: Panel): CommandReply {
  return { action: "open_panel", open_panel: panel };
}

/** Nothing more to do. */
export function noop(): CommandReply {
  return { action: "noop" };
}

export interface CommandOptions {
  /** One line for the command list. */
  readonly description?: string;
}

export interface CommandContext {
  /** The spelling under which the command was registered. */
  readonly name: string;
  readonly host: HostInfo;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is a good handler
type CommandResult = CommandReply | string | void;

/** `args` is what the user typed behind the name, trimmed. A plain string is displayed; a throw becomes the error. */
export type CommandHandler = (args: string, context: CommandContext) => CommandResult | Promise<CommandResult>;

export interface Command {
  readonly name: string;
  /** The encoded frame that tells the host of it. */
  readonly announcement: string;
  readonly handler: CommandHandler;
}

/** Binds a handler to its name, written without the slash. */
export function defineCommand(name: string, { description }: CommandOptions, handler: CommandHandler): Command {
  const bare = name.replace(/^\//, "");
  return { name: bare, announcement: encodeFrame({ type: "register_command", name: bare, description }), handler };
}

/** Runs `command` for a `command_invoked` frame and gives the answer; throws what the handler throws. */
export async function runCommand(command: Command, frame: IncomingFrame, host: HostInfo): Promise<OutgoingFrame> {
  const result = await command.handler(textIn(frame, "args"), { name: command.name, host });
  return { type: "command_response", id: textIn(frame, "id"), ...replyOf(result) };
}

/** The answer to a command that failed. */
export function commandError(frame: IncomingFrame, error: string): OutgoingFrame {
  return { type: "command_response", id: textIn(frame, "id"), action: "noop", error };
}

function replyOf(result: CommandResult): CommandReply {
  if (result === undefined) return noop();
  return typeof result === "string" ? display(result) : result;
}
