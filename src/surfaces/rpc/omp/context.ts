import type { ClientDialogs } from "../client-dialogs.ts";
import type { Command } from "../command.ts";
import type { RpcEngine } from "../engine.ts";
import type { Catalogue } from "./catalogue.ts";
import type { ClientShell } from "./client-shell.ts";
import type { Conversation } from "./conversation.ts";
import type { EventGate } from "./event-gate.ts";
import type { FrameWriter } from "./frame-writer.ts";
import type { HostTools } from "./host-tools.ts";
import type { HostUris } from "./host-uris.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { MessageFacts } from "./message-facts.ts";
import type { OmpSurface } from "./omp-surface.ts";
import type { SideQuestions } from "./side-questions.ts";
import type { SlashCommands } from "./slash-commands.ts";

/** What the commands of one client work on. */
export interface OmpContext {
  readonly engine: RpcEngine;
  readonly writer: FrameWriter;
  readonly gate: EventGate;
  readonly facts: MessageFacts;
  readonly lifecycle: Lifecycle;
  readonly conversation: Conversation;
  readonly dialogs: ClientDialogs;
  readonly surface: OmpSurface | undefined;
  readonly hostTools: HostTools;
  readonly hostUris: HostUris;
  readonly slash: SlashCommands;
  readonly catalogue: Catalogue;
  readonly shell: ClientShell;
  readonly aside: SideQuestions;
}

/**
 * Carries a command out; what it gives is the `data` of the response, undefined for none. `Answered` says that the
 * response is written already, or will be. Throws `RpcError`.
 */
export type Handler = (context: OmpContext, command: Command) => Promise<unknown> | unknown;

export type Handlers = Readonly<Record<string, Handler>>;

/** Given by a handler that answers by itself. */
export const ANSWERED = Symbol("answered");

/** The response of a command that succeeded. */
export function succeed(writer: FrameWriter, { id, type: command }: Command, data?: unknown): void {
  writer.response({ id, command, success: true, data });
}

/** The response of a command that failed. */
export function fail(writer: FrameWriter, { id, type: command }: Command, error: string, code?: string): void {
  writer.response({ id, command, success: false, error, code });
}
