import { setImmediate, setTimeout } from "node:timers/promises";
import { OFFLINE } from "../choose.ts";
import { LlmError } from "../error.ts";
import type { AssistantMessage, Usage } from "../messages.ts";
import type { Model, ModelEvent, ModelRequest } from "../port.ts";
import { codeForStatus } from "../status.ts";
import { introduce, listResults } from "./answers.ts";
import { CALL_PREFIX, type Conversation, readConversation } from "./conversation.ts";
import { Faults } from "./faults.ts";
import { answersOf, parseScript, type Step } from "./script.ts";

/** Arguments come in pieces of 16 characters, never in half a character; texts are cut at words. */
const ARGUMENTS_PIECE = /.{1,16}/gsu;
const CHARS_PER_TOKEN = 4;

type Block = AssistantMessage["content"][number];
interface PlacedStep {
  readonly step: Step;
  readonly position: number;
}

/**
 * The rehearsal model: no network, no key, the same answer every time. Its rules are in `rules.ts`. It finds its place in a
 * script from the messages alone; what it keeps is which faults have struck.
 */
export class OfflineModel implements Model {
  readonly provider = OFFLINE;
  readonly id = OFFLINE;
  readonly contextWindow = 200_000;
  readonly maxOutput = 32_000;
  readonly reasons = true;
  readonly #faults = new Faults();

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const conversation = readConversation(request);
    const content: Block[] = [];
    for (const { step, position } of planned(request, conversation)) {
      for (const event of this.#perform(step, `${conversation.promptKey}/${position}`, content, conversation)) {
        if (signal.aborted) throw aborted();
        yield event;
        // A turn of the event loop a piece: keys and timers live while a long text comes, and an abort is seen.
        await setImmediate();
      }
      if (step.type === "sleep") await sleep(step.ms, signal);
      if (signal.aborted) throw aborted();
    }
    const message: AssistantMessage = {
      role: "assistant",
      content,
      time: Date.now(),
      provider: OFFLINE,
      model: OFFLINE,
    };
    const stop = content.some((block) => block.type === "tool_call") ? "tool_use" : "end_turn";
    yield { type: "message", message, stop, usage: usageOf(request, content) };
  }

  *#perform(step: Step, key: string, content: Block[], conversation: Conversation): Generator<ModelEvent> {
    if (step.type === "fail" && this.#faults.strikes(key, step.times)) throw failure(step.status);
    if (step.type === "drop" && this.#faults.strikes(key, step.times)) {
      throw new LlmError("cut_stream", "the offline model broke off, as its script says");
    }
    if (step.type === "say") yield* speak("text", step.text, content);
    if (step.type === "think") yield* speak("reasoning", step.text, content);
    if (step.type === "call") {
      const number = conversation.lastCall + content.filter((block) => block.type === "tool_call").length + 1;
      yield* call(`${CALL_PREFIX}${number}`, step.name, step.arguments, content);
    }
  }
}

/** The steps of the next answer: the script's, or one of the texts that stand in for a script. */
function planned(request: ModelRequest, conversation: Conversation): readonly PlacedStep[] {
  const answers = answersOf(parseScript(conversation.prompt, request.tools.length > 0));
  const next = answers[conversation.answered] ?? [];
  if (next.some(({ step }) => step.type !== "sleep" && step.type !== "fail" && step.type !== "drop")) return next;
  const text = conversation.results.length > 0 ? listResults(conversation.results) : introduce(request);
  return [...next, { step: { type: "say", text }, position: -1 }];
}

function* speak(type: "text" | "reasoning", text: string, content: Block[]): Generator<ModelEvent> {
  const last = content.at(-1);
  const isContinued = last?.type === type;
  const addition = isContinued ? `\n${text}` : text;
  if (isContinued) content.pop();
  content.push({ type, text: isContinued ? `${last.text}${addition}` : addition });
  for (const delta of addition.match(/\s*\S+\s*/g) ?? [addition]) {
    yield { type: type === "text" ? "text_delta" : "reasoning_delta", delta };
  }
}

function* call(id: string, name: string, text: string, content: Block[]): Generator<ModelEvent> {
  content.push({ type: "tool_call", id, name, arguments: text });
  yield { type: "tool_call_start", id, name };
  for (const delta of text.match(ARGUMENTS_PIECE) ?? []) yield { type: "tool_call_delta", id, delta };
  yield { type: "tool_call_end", id };
}

function failure(status: number): LlmError {
  const text = `the offline model answered ${status}, as its script says`;
  return new LlmError(codeForStatus(status), text, { status });
}

function aborted(): LlmError {
  return new LlmError("aborted", "the request was aborted");
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (cause) {
    if (signal.aborted) throw aborted();
    throw cause;
  }
}

/** An estimate that is the same every time; four characters are about a token. */
function usageOf(request: ModelRequest, content: readonly Block[]): Usage {
  const asked = request.messages.reduce((sum, message) => sum + JSON.stringify(message.content).length, 0);
  const reasoning = content.reduce((sum, block) => sum + (block.type === "reasoning" ? block.text.length : 0), 0);
  return {
    input: tokens(asked + request.systemPrompt.length),
    output: tokens(JSON.stringify(content).length),
    reasoning: tokens(reasoning),
    cacheRead: 0,
    cacheWrite: 0,
    costUsd: 0,
  };
}

function tokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
