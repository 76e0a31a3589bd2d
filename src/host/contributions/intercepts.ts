import * as v from "valibot";
import type { AgentStartRequest, HostFrames } from "../../wire/frames.ts";
import {
  INTERCEPT_DEADLINE_MS,
  INTERCEPT_MISSES_TO_WARN,
  SYSTEM_PROMPT_MAX_BYTES,
  TURN_CONTEXT_MAX_BYTES,
  TURN_CONTEXT_TRUNCATED,
} from "../../wire/limits.ts";
import { type RawJson, rawMember } from "../../wire/raw-json.ts";
import { faultOf, type InterceptResponse, interceptResponseSchema } from "../../wire/schemas.ts";
import type { Extension } from "../extension.ts";
import type { Notes } from "./notes.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** Refused by an extension; `reason` is for the model or the human, never empty. */
export interface Blocked {
  readonly kind: "blocked";
  readonly extension: string;
  readonly reason: string;
}

export type ToolCallVerdict =
  | Blocked
  /** @param rewrittenBy who changed the arguments, in this order; empty: nobody */
  | { readonly kind: "allowed"; readonly args: RawJson; readonly rewrittenBy: readonly string[] };
export type TurnStartVerdict = Blocked | { readonly kind: "allowed"; readonly context: string };
export type AssistantMessageVerdict =
  | Blocked
  | { readonly kind: "allowed"; readonly text: string; readonly replaced: boolean };

const REFUSED_CALL = "tool call refused by extension guard";
const UNSHOWABLE_CALL = "tool call refused: its arguments are too long for an extension that must see them first";
const REFUSED_TURN = "turn blocked by extension guard";
const REFUSED_MESSAGE = "message hidden by extension guard";

/**
 * The intercept pipeline (extension-host.md §4.5): one extension after the other in load order, 5 s each, the first
 * block ends it, rewrites chain. Whoever does not answer in time has allowed.
 */
export class Intercepts {
  readonly #subscriptions: Subscriptions;
  readonly #notes: Notes;
  readonly #misses = new WeakMap<Extension, number>();

  constructor(subscriptions: Subscriptions, notes: Notes) {
    this.#subscriptions = subscriptions;
    this.#notes = notes;
  }

  /** Whether anybody wants to see `event`; lets a surface stream text when nobody may rewrite it. */
  wants(event: "tool_call" | "turn_start" | "assistant_message"): boolean {
    return this.#subscriptions.interceptors(event).length > 0;
  }

  async toolCall(call: { id: string; name: string; args: RawJson }, signal: AbortSignal): Promise<ToolCallVerdict> {
    let { args } = call;
    const rewrittenBy: string[] = [];
    for (const extension of this.#subscriptions.interceptors("tool_call")) {
      const answer = await this.#ask(
        extension,
        "tool_call",
        { tool_id: call.id, tool_name: call.name, tool_args: args },
        signal,
      );
      if (answer === undefined) continue;
      if (answer.response.block === true) return blocked(extension, answer.response, REFUSED_CALL);
      const rewritten = rewrittenArgs(extension, answer);
      if (rewritten === undefined) continue;
      args = rewritten;
      rewrittenBy.push(extension.name);
    }
    return { kind: "allowed", args, rewrittenBy };
  }

  async turnStart(step: number, signal: AbortSignal): Promise<TurnStartVerdict> {
    const contexts: string[] = [];
    for (const extension of this.#subscriptions.interceptors("turn_start")) {
      const answer = await this.#ask(extension, "turn_start", { step }, signal);
      if (answer === undefined) continue;
      if (answer.response.block === true) return blocked(extension, answer.response, REFUSED_TURN);
      const context = answer.response.context?.trim() ?? "";
      if (context !== "") contexts.push(`[${extension.name}]\n${context}`);
    }
    return { kind: "allowed", context: boundedContext(contexts.join("\n\n")) };
  }

  async assistantMessage(text: string, signal: AbortSignal): Promise<AssistantMessageVerdict> {
    let shown = text;
    for (const extension of this.#subscriptions.interceptors("assistant_message")) {
      const answer = await this.#ask(extension, "assistant_message", { text: shown }, signal);
      if (answer === undefined) continue;
      if (answer.response.block === true) return blocked(extension, answer.response, REFUSED_MESSAGE);
      // An empty text cannot blank a message (§4.5).
      if (answer.response.replace_text !== "") shown = answer.response.replace_text ?? shown;
    }
    return { kind: "allowed", text: shown, replaced: shown !== text };
  }

  /**
   * The system prompt as the chain leaves it (§4.5 before_agent_start): each one sees what the one before made of it,
   * nobody can block, and whatever is no proper replacement keeps the current prompt and is told to the user.
   */
  async beforeAgentStart(request: AgentStartRequest, base: string, signal: AbortSignal): Promise<string> {
    let prompt = base;
    for (const extension of this.#subscriptions.interceptors("before_agent_start")) {
      const answer = await this.#ask(extension, "before_agent_start", { ...request, system_prompt: prompt }, signal);
      if (answer === undefined) {
        if (!signal.aborted) this.#keepsPrompt(extension, "no valid answer");
        continue;
      }
      const replacement = readReplacement(answer);
      if ("prompt" in replacement) prompt = replacement.prompt;
      else if (replacement.fault !== undefined) this.#keepsPrompt(extension, replacement.fault);
    }
    return prompt;
  }

  #keepsPrompt(extension: Extension, fault: string): void {
    const text = `before_agent_start: ${fault}; keeping current system prompt`;
    extension.diagnostics.add(text);
    this.#notes.report(extension, "warn", text);
  }

  /** One question; undefined when the extension has nothing to say or did not say it properly: that is "allow". */
  async #ask(
    extension: Extension,
    event: string,
    payload: InterceptPayload,
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { connection, diagnostics } = extension;
    if (connection === undefined || signal.aborted) return undefined;
    const end = await connection.call(
      "event_intercept",
      { event, ...payload },
      { deadlineMs: INTERCEPT_DEADLINE_MS, signal },
    );
    if (end.kind === "timeout") this.#missed(extension, event);
    if (end.kind === "too_long") return this.#unasked(extension, event);
    if (end.kind !== "answer") return undefined;
    this.#misses.delete(extension);
    const result = v.safeParse(interceptResponseSchema, end.frame);
    if (result.success) return { response: result.output, line: end.line };
    diagnostics.add(`intercept ${event}: malformed answer (${faultOf(result.issues)}); allowing`);
    return undefined;
  }

  /** A guard must see what it guards: arguments too long to be shown are refused in its name (§4.5 [REQ], defect 19). */
  #unasked({ diagnostics }: Extension, event: string): Answer | undefined {
    const isGuarded = event === "tool_call";
    const consequence = isGuarded ? "refusing the call" : "allowing";
    diagnostics.add(`intercept ${event}: the frame would exceed the protocol's limit; ${consequence}`);
    return isGuarded ? { response: { ...NO_OPINION, block: true, reason: UNSHOWABLE_CALL }, line: "{}" } : undefined;
  }

  #missed(extension: Extension, event: string): void {
    const misses = (this.#misses.get(extension) ?? 0) + 1;
    this.#misses.set(extension, misses);
    extension.diagnostics.add(`intercept ${event} timed out; allowing`);
    if (misses !== INTERCEPT_MISSES_TO_WARN) return;
    const seconds = (misses * INTERCEPT_DEADLINE_MS) / 1000;
    this.#notes.report(
      extension,
      "warn",
      `did not answer ${misses} questions in a row, which cost ${seconds} s so far; its vetoes do not count`,
    );
  }
}

type InterceptPayload = Omit<HostFrames["event_intercept"], "id" | "event">;

/** What an answer says of the system prompt: byte-exact, `""` included; neither key when it says nothing. */
function readReplacement({ response, line }: Answer): { readonly prompt: string } | { readonly fault?: string } {
  const prompt = response["system_prompt"];
  if (prompt === undefined) {
    return response.block === true
      ? { fault: "extension returned a blocking response; startup hooks cannot block" }
      : {};
  }
  if (typeof prompt !== "string") return { fault: "system_prompt must be a string" };
  const size = Buffer.byteLength(rawMember(line, "system_prompt")?.text ?? "");
  return size > SYSTEM_PROMPT_MAX_BYTES ? { fault: "system_prompt exceeds 1 MiB encoded limit" } : { prompt };
}

const NO_OPINION = v.parse(interceptResponseSchema, {});

interface Answer {
  readonly response: InterceptResponse;
  readonly line: string;
}

function blocked(extension: Extension, { reason }: InterceptResponse, fallback: string): Blocked {
  return {
    kind: "blocked",
    extension: extension.name,
    reason: (reason ?? "").trim() === "" ? fallback : (reason ?? fallback),
  };
}

/** The whole new arguments, when there are any and they are an object (defect 21). */
function rewrittenArgs(extension: Extension, { response, line }: Answer): RawJson | undefined {
  if (response.modified_args === undefined || response.modified_args === null) return undefined;
  const raw = rawMember(line, "modified_args");
  if (raw?.isObject) return raw;
  extension.diagnostics.add("intercept tool_call: modified_args is not a JSON object; ignored");
  return undefined;
}

/** At most `TURN_CONTEXT_MAX_BYTES` of UTF-8, cut between characters, with the marker inside the bound (§3.3). */
function boundedContext(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= TURN_CONTEXT_MAX_BYTES) return text;
  let end = TURN_CONTEXT_MAX_BYTES - Buffer.byteLength(TURN_CONTEXT_TRUNCATED);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end).toString("utf8") + TURN_CONTEXT_TRUNCATED;
}
