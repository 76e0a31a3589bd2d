import type { Agent } from "../../agent/agent.ts";
import type { AgentEvent } from "../../agent/events.ts";
import { AgentActivity } from "./activity.ts";
import { ACTIVITY_TICK_MS, type Activity } from "./screen/activity-line.ts";
import type { Block } from "./transcript/block.ts";
import { Conversation } from "./transcript/conversation.ts";
import { replay } from "./transcript/replay.ts";
import type { TranscriptView } from "./transcript/transcript.ts";

export interface AgentViewParts {
  readonly agent: Agent;
  readonly view: TranscriptView;
  /** What stands above every conversation, and is in the view already. */
  readonly head: Block;
  redraw(): void;
}

const HELD: Activity = { text: "waiting for extensions to start · esc takes it back", role: "accent" };

/** Shows what the agent does: the conversation in the transcript, and what it is busy with. */
export class AgentView implements Disposable {
  readonly #parts: AgentViewParts;
  readonly #conversation: Conversation;
  readonly #activity = new AgentActivity();
  readonly #listening: Disposable;
  #contextTokens = 0;
  #ticker: NodeJS.Timeout | undefined;

  constructor(parts: AgentViewParts) {
    this.#parts = parts;
    const { agent, view, redraw } = parts;
    this.#conversation = new Conversation(view, redraw);
    replay(agent.session, view);
    this.#listening = agent.listen((event) => this.#take(event));
  }

  /** How full the context was at the last request, in tokens; 0 when unknown. */
  get contextTokens(): number {
    return this.#contextTokens;
  }

  /** @param isAsked whether somebody has a question on the screen that takes the keys */
  activity(isAsked: boolean): Activity | undefined {
    const { agent } = this.#parts;
    const waits = agent.held && agent.queue.waiting.length > 0;
    // Who waits for an answer to his question is no news while the question is open.
    const other = isAsked ? undefined : this.#activity.other;
    return other ?? this.#activity.turn ?? (waits ? HELD : undefined);
  }

  /** Shows that something else is under way, until `work` has settled. */
  readonly during = async <T>(text: string, work: Promise<T>): Promise<T> => {
    const ended = this.#activity.wait(text);
    this.#changed();
    try {
      return await work;
    } finally {
      ended();
      this.#changed();
    }
  };

  [Symbol.dispose](): void {
    this.#listening[Symbol.dispose]();
    clearInterval(this.#ticker);
  }

  #take(event: AgentEvent): void {
    if (event.type === "session_changed") this.#showSession();
    this.#conversation.take(event);
    this.#activity.take(event);
    // How long the summary is, the next request will tell.
    if (event.type === "compact_done") this.#contextTokens = 0;
    if (event.type === "usage") {
      const { input, cacheRead, cacheWrite, output } = event.usage;
      this.#contextTokens = input + cacheRead + cacheWrite + output;
    }
    this.#changed();
  }

  #changed(): void {
    this.#tick();
    this.#parts.redraw();
  }

  /** Another conversation is open, or this one was emptied. */
  #showSession(): void {
    const { agent, view, head } = this.#parts;
    view.clear();
    view.add(head);
    this.#conversation.forget();
    this.#contextTokens = 0;
    replay(agent.session, view);
    view.toEnd();
  }

  /** Clocks and the spinner move only while there is something to wait for. */
  #tick(): void {
    if ((this.#activity.other ?? this.#activity.turn) === undefined) {
      clearInterval(this.#ticker);
      this.#ticker = undefined;
      return;
    }
    this.#ticker ??= setInterval(() => {
      for (const card of this.#conversation.running) card.changed();
      this.#parts.redraw();
    }, ACTIVITY_TICK_MS);
  }
}
