import type { AgentEvent, TurnStop } from "../../../agent/events.ts";
import type { AssistantMessage, ImageBlock, TextBlock } from "../../../llm/messages.ts";
import type { AnswerBlock } from "./answer-block.ts";
import type { CompactionBlock } from "./compaction-block.ts";
import type { ReasoningBlock } from "./reasoning-block.ts";
import type { ToolCard } from "./tool-card.ts";
import type { TranscriptView } from "./transcript.ts";

/** Stands where a model had nothing to say. */
export const EMPTY_ANSWER = "(empty answer)";
const CUT_OFF = "cut off at the output limit";

/** Turns what the agent does, as it does it, into blocks of the transcript. */
export class Conversation {
  readonly #view: TranscriptView;
  readonly #redraw: () => void;
  #answer: AnswerBlock | undefined;
  #reasoning: ReasoningBlock | undefined;
  /** Blocks of the attempt under way; they go when it fails and is repeated. */
  #attempt: (AnswerBlock | ReasoningBlock | ToolCard)[] = [];
  #hasSaid = false;
  /** The message that has come is no answer: neither words nor calls. */
  #isEmpty = false;
  #compaction: CompactionBlock | undefined;
  readonly #calls = new Map<string, ToolCard>();

  constructor(view: TranscriptView, redraw: () => void) {
    this.#view = view;
    this.#redraw = redraw;
  }

  /** Cards of what runs now, the user's own commands too, whose clocks have to be drawn. */
  get running(): readonly ToolCard[] {
    return this.#view.calls.filter((card) => card.isRunning);
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case "user_message":
        this.#view.user(contentText(event.message.content));
        this.#view.toEnd();
        break;
      case "assistant_start":
        this.#startAttempt();
        break;
      case "retry_scheduled":
        this.#dropAttempt();
        break;
      case "reasoning_delta":
        this.#think(event.delta);
        break;
      case "text_delta":
        this.#say(event.delta);
        break;
      case "tool_use_start":
        this.#callStarts(event.id, event.name);
        break;
      case "tool_use_args":
        this.#calls.get(event.id)?.appendArguments(event.delta);
        break;
      case "assistant_message":
        this.#endOfMessage(event.message, event.shown);
        break;
      case "turn_end":
        this.#endOfAttempt(event.stop);
        break;
      case "message_hidden":
        this.#view.text(`message hidden by ${event.extension}: ${event.reason}`, "muted", "· ");
        break;
      case "tool_call":
        this.#card(event.id, event.name).setArguments(event.args);
        break;
      case "approval_requested":
        this.#card(event.id, event.name).ask(event.rewrite);
        break;
      case "tool_execution_started":
        this.#card(event.id, event.name).run(event.rewrite);
        break;
      case "tool_progress":
        this.#calls.get(event.id)?.progress(event.text);
        break;
      case "tool_update":
        this.#calls.get(event.id)?.show(event.content);
        break;
      case "tool_result":
        this.#calls.get(event.result.callId)?.finish(event.result, event);
        this.#calls.delete(event.result.callId);
        break;
      case "compact_start":
        this.#compaction = this.#view.compaction(event.reason);
        break;
      case "compact_delta":
        this.#compaction?.append(event.delta);
        break;
      case "compact_done":
        this.#compaction?.finish(event.summary, event.tokensBefore);
        this.#compaction = undefined;
        break;
      case "compact_failed":
        this.#compaction?.fail(event.error);
        this.#compaction = undefined;
        break;
      case "done":
        this.#end();
        break;
      default:
        return;
    }
    this.#redraw();
  }

  /** The transcript was emptied or replaced. */
  forget(): void {
    this.#calls.clear();
    this.#compaction = undefined;
    this.#startAttempt();
  }

  #startAttempt(): void {
    this.#answer = undefined;
    this.#reasoning = undefined;
    this.#attempt = [];
    this.#hasSaid = false;
    this.#isEmpty = false;
  }

  #dropAttempt(): void {
    for (const block of this.#attempt) this.#view.remove(block);
    this.#calls.clear();
    this.#startAttempt();
  }

  #think(delta: string): void {
    if (this.#reasoning === undefined) {
      this.#reasoning = this.#view.reasoning();
      this.#attempt.push(this.#reasoning);
    }
    this.#reasoning.append(delta);
  }

  #say(delta: string): void {
    this.#reasoning?.close();
    this.#reasoning = undefined;
    this.#hasSaid = true;
    if (this.#answer === undefined) {
      this.#answer = this.#view.answer();
      this.#attempt.push(this.#answer);
    }
    this.#answer.append(delta);
  }

  #callStarts(id: string, name: string): void {
    this.#closeTexts();
    this.#attempt.push(this.#card(id, name));
  }

  #endOfMessage({ content }: AssistantMessage, shown: string | undefined): void {
    // A service that does not stream, or text that was held back, comes only with the message.
    if (!this.#hasSaid && shown !== undefined && shown !== "") this.#say(shown);
    this.#isEmpty = shown === "" && !content.some(({ type }) => type === "tool_call");
    this.#closeTexts();
    this.#attempt = [];
  }

  /** What the text alone does not tell. */
  #endOfAttempt(stop: TurnStop): void {
    if (stop === "length") this.#view.text(CUT_OFF, "muted", "· ");
    else if (stop === "end_turn" && this.#isEmpty) this.#view.text(EMPTY_ANSWER, "muted", "· ");
    this.#isEmpty = false;
  }

  #closeTexts(): void {
    this.#reasoning?.close();
    this.#answer?.close();
    this.#reasoning = undefined;
    this.#answer = undefined;
  }

  #card(id: string, name: string): ToolCard {
    const known = this.#calls.get(id);
    if (known !== undefined) return known;
    const card = this.#view.tool(name);
    this.#calls.set(id, card);
    return card;
  }

  #end(): void {
    this.#closeTexts();
    for (const card of this.#calls.values()) card.abandon();
    this.#calls.clear();
    this.#attempt = [];
  }
}

/** What a person said, in words: a picture is named. */
export function contentText(content: readonly (TextBlock | ImageBlock)[]): string {
  return content.map((block) => (block.type === "text" ? block.text : `[image ${block.mimeType}]`)).join("\n");
}
