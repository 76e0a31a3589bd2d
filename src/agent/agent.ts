import type { SessionEvent } from "../host/contributions/session-events.ts";
import type { ExtensionHost } from "../host/host.ts";
import type { ImageBlock, TextBlock, Usage } from "../llm/messages.ts";
import type { Model, ReasoningLevel, ToolDefinition } from "../llm/port.ts";
import { AgentStart } from "./agent-start.ts";
import { Approval, type ApprovalMode, type Approver } from "./approval.ts";
import type { CompactionEnd } from "./compaction.ts";
import { Compactor } from "./compactor.ts";
import { AgentError } from "./error.ts";
import type { AgentEvent, AgentListener } from "./events.ts";
import { Occupation } from "./occupation.ts";
import { PendingPrompts } from "./pending-prompts.ts";
import type { PromptQueue, QueuedPrompt, QueueKind } from "./prompt-queue.ts";
import { RetryWait } from "./retry-wait.ts";
import type { Session } from "./session/session.ts";
import { Toolbox } from "./toolbox.ts";
import { skillTools } from "./tools/skill.ts";
import type { BuiltinTool } from "./tools/tool.ts";
import { runTurn, type TurnEnd } from "./turn.ts";

export interface AgentOptions {
  readonly model: Model;
  readonly host: ExtensionHost;
  readonly builtins: readonly BuiltinTool[];
  /** The conversation to begin with; the agent does not close it. */
  readonly session: Session;
  /** The complete system prompt before extensions see it; built anew when asked. */
  systemPrompt(): string;
  readonly reasoning?: ReasoningLevel;
  /** Absolute project directory. */
  readonly cwd: string;
  /** Model steps in one prompt (`--max-steps`). */
  readonly maxSteps: number;
  /** US dollars that the whole conversation may cost; what is running when it is reached is finished (`--max-cost`). */
  readonly maxCost?: number;
  readonly approval: ApprovalMode;
  /** Absent: nobody can be asked. */
  readonly approver?: Approver;
  /** Tools that come and go while the agent runs, besides those of extensions; asked before each request. */
  guests?(): readonly BuiltinTool[];
  /** Resolves when the readers of the event stream have caught up; undefined when they have. */
  drained(): Promise<void> | undefined;
}

/** How a prompt ended. `text` is the last answer as a human may see it. */
export type PromptEnd = TurnEnd | { readonly kind: "failed"; readonly error: AgentError };

type Content = readonly (TextBlock | ImageBlock)[];

/**
 * A conversation with a model, and the one engine behind every surface. Knows none of them: whoever listens shows it.
 * One turn runs at a time; prompts that come meanwhile wait in `queue`.
 */
export class Agent {
  readonly approval: Approval;
  readonly compactor: Compactor;
  readonly retries = new RetryWait();
  /** Whether a steering prompt keeps the tools from running that the model asked for before it. */
  interrupts = false;
  readonly #options: AgentOptions;
  readonly #toolbox: Toolbox;
  readonly #start: AgentStart;
  readonly #listeners = new Set<AgentListener>();
  readonly #pending = new PendingPrompts(() => this.#emit({ type: "queue_changed" }));
  readonly #remarks: Content[] = [];
  readonly #occupation = new Occupation(() => {
    this.#takeRemarks();
    this.#emit({ type: "done" });
  });
  #session: Session;
  #model: Model;
  #reasoning: ReasoningLevel | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#model = options.model;
    this.#reasoning = options.reasoning;
    this.#session = options.session;
    this.approval = new Approval(options.approval, options.approver);
    const guests = () => [...skillTools(options.host.skills), ...(options.guests?.() ?? [])];
    this.#toolbox = new Toolbox(options.builtins, options.host, () => this.#session, guests);
    this.compactor = new Compactor({
      retries: this.retries,
      emit: (event) => this.#emit(event),
      model: () => this.#model,
      session: () => this.#session,
      tools: () => this.tools,
      compacted: () => this.announce("session_compacted"),
    });
    this.#start = new AgentStart({
      host: options.host,
      cwd: options.cwd,
      base: options.systemPrompt,
      model: () => ({ provider: this.#model.provider, model: this.#model.id }),
      sessionId: () => this.#session.id,
    });
  }

  get queue(): PromptQueue {
    return this.#pending.queue;
  }

  get busy(): boolean {
    return this.#occupation.busy;
  }

  /** Whether prompts wait although no turn runs. */
  get held(): boolean {
    return this.#pending.held;
  }

  /** The conversation that is open; it holds the transcript. */
  get session(): Session {
    return this.#session;
  }

  get model(): Model {
    return this.#model;
  }

  get reasoning(): ReasoningLevel | undefined {
    return this.#reasoning;
  }

  /** What the model would be offered now. */
  get tools(): readonly ToolDefinition[] {
    return this.#toolbox.definitions();
  }

  /** Of the whole conversation. */
  get usage(): Usage {
    return this.#session.cumulative;
  }

  /** Listeners are told in the order in which they came; none may throw. */
  listen(listener: AgentListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => this.#listeners.delete(listener) };
  }

  /**
   * Says `content`: at once when idle, otherwise when its kind of waiting is over. Resolves at the end of the turn in
   * which it was said; rejects only for a defect of ours.
   */
  prompt(content: Content, kind: QueueKind = "follow_up"): Promise<PromptEnd> {
    if (!this.busy && !this.held) return this.#begin([content]);
    return this.#pending.add(kind, content);
  }

  /**
   * Lets prompts wait as they do behind a turn, until the result is disposed of: extensions are starting, and what a prompt
   * sets off would pass by them. Then those that came meanwhile are said, unless others wait for the user before them.
   */
  hold(): Disposable {
    return this.#pending.hold(() => void this.resume());
  }

  /**
   * Goes on with the prompts that wait, which those behind a turn that failed or was cut short do. Undefined when none
   * does, or when none may be said now.
   */
  resume(): Promise<PromptEnd> | undefined {
    if (this.busy || this.held) return undefined;
    const prompts = this.#pending.takeDue();
    return prompts.length === 0 ? undefined : this.#begin(prompts);
  }

  /** Tells the model something without a turn: at once when idle, else before the next request of the running turn. */
  remark(content: Content): void {
    this.#remarks.push(content);
    if (!this.busy) this.#takeRemarks();
  }

  /**
   * Replaces most of the conversation by a summary (extension-host.md §8.5). Prompts that come meanwhile wait for its
   * end. Fails when a turn runs.
   * @param instructions what the summary should pay attention to
   */
  compact(instructions = ""): Promise<CompactionEnd> {
    if (this.busy) {
      return Promise.resolve({ kind: "failed", error: new AgentError("blocked", "a turn is running") });
    }
    return this.#occupation.begin<CompactionEnd>(async (signal, answer) => {
      answer(await this.compactor.run("manual", instructions, signal));
      // What waits behind an abort is for the user to decide, as it is behind a turn.
      if (!signal.aborted) await this.#converse(this.#pending.takeDue(), signal, () => undefined);
    });
  }

  /** Takes a waiting prompt back; whoever waits for it is told that it was aborted. */
  withdraw(id: number): QueuedPrompt | undefined {
    return this.#pending.withdraw(id);
  }

  /** Ends the running turn; resolves when it has settled. Waiting prompts stay in the queue. */
  abort(): Promise<void> {
    return this.#occupation.abort();
  }

  /** Resolves when nothing runs any more and listeners know it. */
  settled(): Promise<void> {
    return this.#occupation.settled();
  }

  /** Takes effect with the next request; extensions are asked for the prompt again. */
  setModel(model: Model): void {
    this.#model = model;
    this.#session.switchModel(model.provider, model.id);
    this.#start.reset();
  }

  setReasoning(level: ReasoningLevel | undefined): void {
    this.#reasoning = level;
  }

  /** The base prompt may have changed: tools were reloaded, skills came or went. */
  resetSystemPrompt(): void {
    this.#start.reset();
  }

  /** Empties the transcript of the open session; a running turn is ended first. */
  async clear(): Promise<void> {
    await this.abort();
    this.#session.clear();
    this.approval.forget();
    this.#start.reset();
    this.compactor.forget();
    this.#emit({ type: "session_changed" });
  }

  /**
   * Goes on with another conversation; a running turn is ended first. Resolves with the one before, which is the
   * caller's to close. Extensions hear of a fork only when it was made now (extension-host.md §6.1, defect 34).
   */
  async openSession(session: Session): Promise<Session> {
    await this.abort();
    const before = this.#session;
    this.#session = session;
    this.approval.forget();
    this.#start.reset();
    this.compactor.forget();
    this.#emit({ type: "session_changed" });
    if (session.origin === "forked") this.announce("session_forked");
    this.announce(session.origin === "new" ? "session_opened" : "session_switched");
    return before;
  }

  /** Tells extensions about the open conversation; `session_start` once, when they are ready. */
  announce(event: SessionEvent): void {
    const session = this.#session;
    const open = { context: () => session.context(), state: (extension: string) => session.states.get(extension) };
    this.#options.host.sessions.emit(event, open);
  }

  #begin(prompts: readonly Content[]): Promise<PromptEnd> {
    return this.#occupation.begin<PromptEnd>((signal, answer) => this.#converse(prompts, signal, answer));
  }

  /** One turn after the other until nothing waits any more. The first prompt is answered at the end of its own turn. */
  async #converse(first: readonly Content[], signal: AbortSignal, answer: (end: PromptEnd) => void): Promise<void> {
    let prompts = first;
    while (prompts.length > 0) {
      if (this.compactor.isDue) await this.compactor.run("threshold", "", signal);
      const end = await this.#wholeTurn(prompts, signal);
      // One that was opened may have been held with another model before; what did not answer held none.
      if (end.kind === "completed") this.#session.switchModel(this.#model.provider, this.#model.id);
      answer(end);
      this.#pending.settle(end);
      // What waits behind a turn that failed or was cut short is for the user to decide.
      if (end.kind !== "completed") return;
      prompts = this.#pending.takeDue();
    }
  }

  /** A turn that is too long for the model is tried once more after a compaction. */
  async #wholeTurn(prompts: readonly Content[], signal: AbortSignal): Promise<PromptEnd> {
    const end = await this.#turn(prompts, signal);
    if (end.kind !== "failed" || !this.compactor.canHelp(end.error)) return end;
    const compaction = await this.compactor.run("overflow", "", signal);
    return compaction.kind === "compacted" ? this.#turn([], signal) : end;
  }

  async #turn(prompts: readonly Content[], signal: AbortSignal): Promise<PromptEnd> {
    const { host, cwd, maxSteps, drained } = this.#options;
    for (const prompt of prompts) this.#say(prompt);
    try {
      const systemPrompt = await this.#start.prepare(signal);
      if (systemPrompt === undefined) return { kind: "aborted", text: "" };
      return await runTurn(
        {
          model: this.#model,
          host,
          systemPrompt,
          reasoning: this.#reasoning,
          cwd,
          maxSteps,
          drained,
          toolbox: this.#toolbox,
          approval: this.approval,
          retries: this.retries,
          budgetFault: () => this.#budgetFault(),
          session: this.#session,
          emit: (event) => this.#emit(event),
          saySteering: () => {
            this.#takeRemarks();
            for (const prompt of this.#pending.take("steer")) this.#say(prompt);
          },
          isInterrupted: () => this.interrupts && this.queue.waiting.some(({ kind }) => kind === "steer"),
          countUsage: (usage) => this.#countUsage(usage),
          now: Date.now,
        },
        signal,
      );
    } catch (error) {
      if (error instanceof AgentError) return { kind: "failed", error };
      throw error;
    }
  }

  #budgetFault(): AgentError | undefined {
    const { maxCost } = this.#options;
    if (maxCost === undefined || this.usage.costUsd < maxCost) return undefined;
    const spent = this.usage.costUsd.toFixed(4);
    return new AgentError("cost_cap", `the spending limit of $${maxCost} is reached ($${spent} spent)`);
  }

  #say(content: Content): void {
    const message = { role: "user", content, time: Date.now() } as const;
    this.#session.appendUser(message);
    this.#emit({ type: "user_message", message });
  }

  /** Remarks are no prompts, so nobody who shows prompts is told. */
  #takeRemarks(): void {
    for (const content of this.#remarks.splice(0)) {
      this.#session.appendUser({ role: "user", content, time: Date.now() });
    }
  }

  #countUsage(usage: Usage): void {
    this.compactor.countUsage(usage);
    this.#emit({ type: "usage", usage, cumulative: this.#session.appendUsage(usage) });
  }

  #emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
