import {
  type AssistantMessage,
  readAssistantMessage,
  readToolCall,
  readTurnStart,
  type ToolCallEvent,
  type TurnStart,
} from "./event.ts";
import type { IncomingFrame, OutgoingFrame } from "./frames.ts";
import { isRecord, textIn } from "./frames.ts";
import { RawJson } from "./raw-json.ts";

export interface BeforeAgentStart {
  readonly sessionId: string;
  /** New for every preparation pass. */
  readonly agentRunId: string;
  readonly cwd: string;
  readonly provider: string;
  readonly model: string;
  /** The complete system prompt as it stands, other extensions' replacements included. */
  readonly systemPrompt: string;
}

/** What can be intercepted, with what the interceptor is shown (extension-host.md §4.5). */
export interface Interceptions {
  tool_call: ToolCallEvent;
  turn_start: TurnStart;
  assistant_message: AssistantMessage;
  before_agent_start: BeforeAgentStart;
}

export type InterceptName = keyof Interceptions;

/** Refuses. `reason` is for the model (`tool_call`) or the user (the others). */
export interface Block {
  readonly block: true;
  readonly reason?: string;
}

/** What an interceptor may answer; nothing at all lets the matter pass unchanged. */
export interface Decisions {
  tool_call: Block | { readonly modifiedArgs: Readonly<Record<string, unknown>> | string };
  turn_start: Block | { readonly context: string };
  assistant_message: Block | { readonly replaceText: string };
  before_agent_start: { readonly systemPrompt: string };
}

export type InterceptHandler<I extends InterceptName> = (
  event: Interceptions[I],
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is a good handler
) => Decisions[I] | void | Promise<Decisions[I] | void>;

export interface InterceptOptions {
  /**
   * What is answered when the handler throws. A guard wants `block`; the default `allow` is what the host does when an
   * extension does not answer at all. A system prompt is always kept.
   */
  readonly onError?: "allow" | "block";
}

interface Interceptor {
  readonly onError: "allow" | "block";
  decide(frame: IncomingFrame, line: string): Promise<unknown>;
}

type Reader<I extends InterceptName> = (frame: IncomingFrame, line: string) => Interceptions[I];

const readers: { readonly [I in InterceptName]: Reader<I> } = {
  tool_call: readToolCall,
  turn_start: readTurnStart,
  assistant_message: readAssistantMessage,
  before_agent_start: (frame) => ({
    sessionId: textIn(frame, "session_id"),
    agentRunId: textIn(frame, "agent_run_id"),
    cwd: textIn(frame, "cwd"),
    provider: textIn(frame, "provider"),
    model: textIn(frame, "model"),
    systemPrompt: textIn(frame, "system_prompt"),
  }),
};

/** At most one interceptor for each event. */
export class Interceptors {
  readonly #table = new Map<string, Interceptor>();

  /** False when the event has its interceptor already. */
  add<I extends InterceptName>(
    event: I,
    handler: InterceptHandler<I>,
    { onError = "allow" }: InterceptOptions,
  ): boolean {
    if (this.#table.has(event)) return false;
    const decide: Interceptor["decide"] = async (frame, line) => await handler(readers[event](frame, line));
    this.#table.set(event, { onError, decide });
    return true;
  }

  names(): readonly string[] {
    return [...this.#table.keys()];
  }

  /** The answer to an `event_intercept` frame. Throws what the handler throws, and `TypeError` for a wrong decision. */
  async answer(frame: IncomingFrame, line: string): Promise<OutgoingFrame> {
    return response(frame, await this.#table.get(textIn(frame, "event"))?.decide(frame, line));
  }

  /** The answer when `answer` threw `message`. `before_agent_start` cannot be blocked. */
  answerToError(frame: IncomingFrame, message: string): OutgoingFrame {
    const event = textIn(frame, "event");
    const blocks = event !== "before_agent_start" && this.#table.get(event)?.onError === "block";
    return response(frame, blocks ? { block: true, reason: `the guard itself failed: ${message}` } : undefined);
  }
}

/** True for the events that this SDK can intercept. */
export function isInterceptName(name: string): name is InterceptName {
  return Object.hasOwn(readers, name);
}

function response(frame: IncomingFrame, decision: unknown): OutgoingFrame {
  const answer = { type: "event_intercept_response", id: textIn(frame, "id") };
  if (decision === undefined || decision === null) return answer;
  if (!isRecord(decision)) throw new TypeError("an interceptor returns nothing or an object such as { block: true }");
  const { block, reason, modifiedArgs, replaceText, context, systemPrompt } = decision;
  if (block === true) return { ...answer, block, reason };
  return {
    ...answer,
    modified_args: argumentsOf(modifiedArgs),
    replace_text: replaceText,
    context,
    system_prompt: systemPrompt,
  };
}

/** Arguments given as text travel as they are, so that big integers keep their digits. */
function argumentsOf(args: unknown): unknown {
  const value = typeof args === "string" ? new RawJson(args) : args;
  const isObject =
    value instanceof RawJson ? value.text.trimStart().startsWith("{") : value === undefined || isRecord(value);
  if (!isObject) throw new TypeError("modifiedArgs must be an object, or the JSON text of one");
  return value;
}
