import type { Agent, PromptEnd } from "../../../agent/agent.ts";
import { AgentError } from "../../../agent/error.ts";
import type { QueuedPrompt, QueueKind } from "../../../agent/prompt-queue.ts";
import type { ImageBlock, TextBlock } from "../../../llm/messages.ts";
import type { FrameWriter } from "./frame-writer.ts";
import type { MessageFacts } from "./message-facts.ts";
import { type Accepted, PromptLedger, resultFields } from "./prompt-ledger.ts";
import type { RunFrames } from "./run-frames.ts";

export type Content = readonly (TextBlock | ImageBlock)[];

export interface LifecycleOptions {
  readonly agent: Agent;
  readonly writer: FrameWriter;
  readonly frames: RunFrames;
  readonly facts: MessageFacts;
  /** A defect of ours, for a human. */
  readonly onDefect: (error: unknown) => void;
}

/**
 * When prompts, runs and the session are over, and in which order the client is told (rpc-wire.md §3.1): `agent_end`,
 * the answers to aborts, the results of prompts in the order of their acceptance, `session_settled`.
 */
export class Lifecycle {
  readonly #options: LifecycleOptions;
  readonly #ledger = new PromptLedger();
  /** Called between `agent_end` and the results. */
  #afterRun: (() => void)[] = [];
  #waitingForRun: (() => void)[] = [];
  #lastEnd: PromptEnd | undefined;
  /** Work that may still start a run: slash commands, a prompt behind an abort. */
  #pending = 0;
  #isCompacting = false;
  readonly #withdrawn = new WeakSet<Content>();
  /** Something ran since the session was last said to be settled. */
  #isStirred = false;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    options.agent.listen((event) => {
      options.frames.event(event);
      if (event.type === "compact_start") this.#isCompacting = true;
      if (event.type === "compact_done" || event.type === "compact_failed") this.#isCompacting = false;
      if (event.type === "done") this.#runEnded();
    });
  }

  /** The conversation is being summarised; prompts wait for that. */
  get isCompacting(): boolean {
    return this.#isCompacting;
  }

  /** Nothing will start by itself. */
  get isSettled(): boolean {
    const { agent } = this.#options;
    return !agent.busy && agent.queue.waiting.length === 0 && this.#pending === 0;
  }

  accept(id: unknown): Accepted {
    return this.#ledger.accept(id);
  }

  /** Says `content` now or when its kind of waiting is over; `accepted` gets its result. */
  say(content: Content, kind: QueueKind, accepted?: Accepted): void {
    const { agent, facts, onDefect } = this.#options;
    this.#isStirred = true;
    if (accepted !== undefined) accepted.invoked = true;
    if (kind === "steer") facts.steered(content);
    const ended = (end: PromptEnd): void => {
      // This comes before the `done` of the run, which is what tells the client.
      if (accepted !== undefined) accepted.end = end;
      if (!this.#withdrawn.has(content)) this.#lastEnd = end;
      if (!agent.busy) this.#settle();
    };
    agent.prompt(content, kind).then(ended, (error: unknown) => {
      onDefect(error);
      ended({ kind: "failed", error: new AgentError("model", `internal error: ${String(error)}`, error) });
    });
  }

  /** Goes on with the prompts that wait, when nothing runs. */
  wake(): void {
    const resumed = this.#options.agent.resume();
    if (resumed === undefined) return;
    this.#isStirred = true;
    resumed.then((end) => {
      this.#lastEnd = end;
    }, this.#options.onDefect);
  }

  /** Takes a prompt back that waits. */
  withdraw(prompt: QueuedPrompt): void {
    this.#withdrawn.add(prompt.content);
    this.#options.agent.withdraw(prompt.id);
  }

  /** Something begins that may start a run: a slash command, a prompt behind an abort. `over` ends it. */
  begin(): void {
    this.#pending += 1;
  }

  /** @param ended the prompt that ended with it, without the agent */
  over(ended?: { readonly accepted: Accepted; readonly end: PromptEnd }): void {
    this.#pending -= 1;
    if (ended !== undefined) ended.accepted.end = ended.end;
    this.#settle();
  }

  /** Ends the run; `answer` is called when `agent_end` is out, or at once when nothing runs. Prompts that wait stay. */
  async abort(answer: () => void): Promise<void> {
    const { agent } = this.#options;
    if (!agent.busy) {
      answer();
      return;
    }
    this.#afterRun.push(answer);
    await agent.abort();
  }

  /** Ends the run without a word of it, and everything that waits: the session is about to change. */
  async interrupt(): Promise<void> {
    const { agent, frames } = this.#options;
    for (const prompt of agent.queue.waiting) this.withdraw(prompt);
    if (agent.busy) {
      frames.silence();
      await agent.abort();
    }
    // Those that were withdrawn have their end by now.
    await Promise.resolve();
    this.#settle();
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#options.agent.busy || this.#pending > 0) {
      await new Promise<void>((resolve) => this.#waitingForRun.push(resolve));
    }
  }

  /** The client is gone: what never began is over, and has its result. */
  close(): void {
    this.#report(this.#ledger.takeAll());
  }

  #runEnded(): void {
    this.#isCompacting = false;
    this.#options.frames.end(this.#lastEnd);
    this.#lastEnd = undefined;
    for (const answer of this.#afterRun.splice(0)) answer();
    this.#settle();
  }

  #settle(): void {
    this.#report(this.#ledger.takeEnded(this.#options.agent.busy));
    if (this.isSettled && this.#isStirred) {
      this.#isStirred = false;
      this.#options.writer.event("session_settled");
    }
    for (const resolve of this.#waitingForRun.splice(0)) resolve();
  }

  #report(ended: readonly Accepted[]): void {
    const { agent, writer } = this.#options;
    for (const accepted of ended) {
      const sessionSettled = this.isSettled;
      writer.event("prompt_result", { ...resultFields(accepted, agent.model), sessionSettled });
    }
  }
}
