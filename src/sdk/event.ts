import type { IncomingFrame } from "./frames.ts";
import { numberIn, optionalTextIn, textIn } from "./frames.ts";
import { readSession, type SessionInfo } from "./host-info.ts";
import { rawMember } from "./raw-json.ts";

export interface TurnStart {
  /** Counts the model requests inside one user prompt, from 1. */
  readonly step: number;
}

export interface TurnEnd {
  /** `end_turn`, `tool_use`, `length`, `error` or `aborted`; older hosts say `end` for the first. */
  readonly stop: string;
  readonly error?: string;
}

export interface ToolCallEvent {
  readonly toolId: string;
  readonly toolName: string;
  /** Parsed; integers above 2^53 have lost digits. */
  readonly args: unknown;
  /** The same as JSON text, digit for digit. */
  readonly rawArguments: string;
}

export interface ToolConfirmation {
  readonly toolId: string;
  readonly toolName: string;
  /** The short text of the confirmation dialog. */
  readonly preview: string;
}

export interface AssistantMessage {
  readonly text: string;
}

export interface SessionEvent {
  readonly session?: SessionInfo;
  /** What this extension last left in `details` on this branch. Absent means: start from nothing. */
  readonly state?: unknown;
}

/** What can happen to the conversation that is open; all but the first belong to protocol 2 (extension-host.md §6.1). */
export const SESSION_EVENTS = [
  "session_start",
  "session_opened",
  "session_switched",
  "session_forked",
  "session_compacted",
] as const;

export type SessionEventName = (typeof SESSION_EVENTS)[number];

/** A `SessionEvent` that says which one it is. */
export interface SessionChange extends SessionEvent {
  readonly event: SessionEventName;
}

/** The events of extension-host.md §4.4 and §6.1, with what each brings. The last four belong to protocol 2. */
export interface Events {
  session_start: SessionEvent;
  turn_start: TurnStart;
  turn_end: TurnEnd;
  tool_call: ToolCallEvent;
  tool_confirmation_requested: ToolConfirmation;
  assistant_message: AssistantMessage;
  session_opened: SessionEvent;
  session_switched: SessionEvent;
  session_forked: SessionEvent;
  session_compacted: SessionEvent;
}

export type EventName = keyof Events;
export type EventHandler<E extends EventName> = (event: Events[E]) => unknown;

type Reader<E extends EventName> = (frame: IncomingFrame, line: string) => Events[E];

const readers: { readonly [E in EventName]: Reader<E> } = {
  session_start: readSessionEvent,
  turn_start: readTurnStart,
  turn_end: (frame) => {
    const error = optionalTextIn(frame, "error");
    return { stop: textIn(frame, "stop"), ...(error === undefined ? {} : { error }) };
  },
  tool_call: readToolCall,
  tool_confirmation_requested: (frame) => ({
    toolId: textIn(frame, "tool_id"),
    toolName: textIn(frame, "tool_name"),
    preview: textIn(frame, "tool_preview"),
  }),
  assistant_message: readAssistantMessage,
  session_opened: readSessionEvent,
  session_switched: readSessionEvent,
  session_forked: readSessionEvent,
  session_compacted: readSessionEvent,
};

type Observer = (frame: IncomingFrame, line: string) => Promise<unknown>;

/** What the author wants to observe, in the order of registration. */
export class Observers {
  readonly #observers = new Map<string, Observer[]>();

  add<E extends EventName>(event: E, handler: EventHandler<E>): void {
    const observer: Observer = async (frame, line) => await handler(readers[event](frame, line));
    this.#observers.set(event, [...(this.#observers.get(event) ?? []), observer]);
  }

  names(): readonly string[] {
    return [...this.#observers.keys()];
  }

  /** Starts every handler of the frame's event and gives what each is doing; a throw is a rejection. */
  start(frame: IncomingFrame, line: string): readonly Promise<unknown>[] {
    return (this.#observers.get(textIn(frame, "event")) ?? []).map((observer) => observer(frame, line));
  }
}

/** True for the events of `SESSION_EVENTS`. */
export function isSessionEvent(name: string): name is SessionEventName {
  return SESSION_EVENTS.some((known) => known === name);
}

/** True for the events that this SDK knows. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(readers, name);
}

export function readTurnStart(frame: IncomingFrame): TurnStart {
  return { step: numberIn(frame, "step") };
}

export function readToolCall(frame: IncomingFrame, line: string): ToolCallEvent {
  return {
    toolId: textIn(frame, "tool_id"),
    toolName: textIn(frame, "tool_name"),
    args: frame["tool_args"] ?? {},
    get rawArguments() {
      return rawMember(line, "tool_args") ?? "{}";
    },
  };
}

export function readAssistantMessage(frame: IncomingFrame): AssistantMessage {
  return { text: textIn(frame, "text") };
}

function readSessionEvent(frame: IncomingFrame): SessionEvent {
  const session = readSession(frame["session"]);
  return {
    ...(session === undefined ? {} : { session }),
    ...(Object.hasOwn(frame, "state") ? { state: frame["state"] } : {}),
  };
}
