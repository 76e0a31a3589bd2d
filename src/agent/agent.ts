import type { ExtensionHost } from "../host/host.ts";
import type { ImageBlock, TextBlock, Usage } from "../llm/messages.ts";
import type { Model, ReasoningLevel } from "../llm/port.ts";
import { AgentStart } from "./agent-start.ts";
import { Approval, type ApprovalMode, type Approver } from "./approval.ts";
import { AgentError } from "./error.ts";
import { type AgentEvent, type AgentListener, addUsage, NO_USAGE } from "./events.ts";
import { PromptQueue, type QueuedPrompt, type QueueKind } from "./prompt-queue.ts";
import { Toolbox } from "./toolbox.ts";
import type { BuiltinTool } from "./tools/tool.ts";
import { Transcript } from "./transcript.ts";
import { runTurn, type TurnEnd } from "./turn.ts";

export interface AgentOptions {
  readonly model: Model;
  readonly host: ExtensionHost;
  readonly builtins: readonly BuiltinTool[];
  /** The complete system prompt before extensions see it; built anew when asked. */
  systemPrompt(): string;
  readonly reasoning?: ReasoningLevel;
  /** Absolute project directory. */
  readonly cwd: string;
  /** Model steps in one prompt (`--max-steps`). */
  readonly maxSteps: number;
  readonly approval: ApprovalMode;
  /** Absent: nobody can be asked. */
  readonly approver?: Approver;
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
  readonly queue: PromptQueue;
  readonly approval: Approval;
  readonly #options: AgentOptions;
  readonly #toolbox: Toolbox;
  readonly #start: AgentStart;
  readonly #listeners = new Set<AgentListener>();
  /** Whoever waits for the end of a queued prompt. */
  readonly #waiting = new Map<number, (end: PromptEnd) => void>();
  /** Queued prompts that were said in the running turn. */
  readonly #said: QueuedPrompt[] = [];
  #transcript = new Transcript();
  #model: Model;
  #reasoning: ReasoningLevel | undefined;
  #usage: Usage = NO_USAGE;
  #run: { readonly abort: AbortController; readonly settled: Promise<void> } | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#model = options.model;
    this.#reasoning = options.reasoning;
    this.queue = new PromptQueue(() => this.#emit({ type: "queue_changed" }));
    this.approval = new Approval(options.approval, options.approver);
    this.#toolbox = new Toolbox(options.builtins, options.host);
    const runtimeId = crypto.randomUUID();
    this.#start = new AgentStart({
      host: options.host,
      cwd: options.cwd,
      base: options.systemPrompt,
      model: () => ({ provider: this.#model.provider, model: this.#model.id }),
      sessionId: () => runtimeId,
    });
  }

  get busy(): boolean {
    return this.#run !== undefined;
  }

  get transcript(): Transcript {
    return this.#transcript;
  }

  get model(): Model {
    return this.#model;
  }

  get reasoning(): ReasoningLevel | undefined {
    return this.#reasoning;
  }

  /** Of the whole conversation. */
  get usage(): Usage {
    return this.#usage;
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
    if (this.#run === undefined) return this.#begin(content);
    const queued = this.queue.add(kind, content);
    if (queued === undefined) {
      return Promise.resolve({
        kind: "failed",
        error: new AgentError("blocked", "too many prompts are waiting already"),
      });
    }
    return new Promise((resolve) => this.#waiting.set(queued.id, resolve));
  }

  /** Takes a waiting prompt back; whoever waits for it is told that it was aborted. */
  withdraw(id: number): QueuedPrompt | undefined {
    const prompt = this.queue.remove(id);
    if (prompt !== undefined) this.#settle(prompt, { kind: "aborted", text: "" });
    return prompt;
  }

  /** Ends the running turn; resolves when it has settled. Waiting prompts stay in the queue. */
  async abort(): Promise<void> {
    this.#run?.abort.abort();
    await this.#run?.settled;
  }

  /** Takes effect with the next request; extensions are asked for the prompt again. */
  setModel(model: Model): void {
    this.#model = model;
    this.#start.reset();
  }

  setReasoning(level: ReasoningLevel | undefined): void {
    this.#reasoning = level;
  }

  /** The base prompt may have changed: tools were reloaded, skills came or went. */
  resetSystemPrompt(): void {
    this.#start.reset();
  }

  /** Forgets the conversation; a running turn is ended first. */
  async clear(): Promise<void> {
    await this.abort();
    this.#transcript = new Transcript();
    this.#start.reset();
  }

  #begin(content: Content): Promise<PromptEnd> {
    const abort = new AbortController();
    const settled = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<PromptEnd>();
    this.#run = { abort, settled: settled.promise };
    this.#converse(content, abort.signal, answered.resolve)
      .catch(answered.reject)
      .finally(() => {
        this.#run = undefined;
        this.#emit({ type: "done" });
        settled.resolve();
      });
    return answered.promise;
  }

  /** One turn after the other until nothing waits any more. The first prompt is answered at the end of its own turn. */
  async #converse(content: Content, signal: AbortSignal, answer: (end: PromptEnd) => void): Promise<void> {
    let prompts: readonly Content[] = [content];
    while (prompts.length > 0) {
      const end = await this.#turn(prompts, signal);
      answer(end);
      for (const queued of this.#said.splice(0)) this.#settle(queued, end);
      // What waits behind a turn that failed or was cut short is for the user to decide.
      if (end.kind !== "completed") return;
      prompts = this.#takeQueued("steer");
      if (prompts.length === 0) prompts = this.#takeQueued("follow_up");
    }
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
          transcript: this.#transcript,
          emit: (event) => this.#emit(event),
          saySteering: () => {
            for (const prompt of this.#takeQueued("steer")) this.#say(prompt);
          },
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

  #say(content: Content): void {
    const message = { role: "user", content, time: Date.now() } as const;
    this.#transcript.addUser(message);
    this.#emit({ type: "user_message", message });
  }

  #takeQueued(kind: QueueKind): Content[] {
    const taken = this.queue.take(kind);
    this.#said.push(...taken);
    return taken.map((prompt) => prompt.content);
  }

  #settle(prompt: QueuedPrompt, end: PromptEnd): void {
    const resolve = this.#waiting.get(prompt.id);
    this.#waiting.delete(prompt.id);
    resolve?.(end);
  }

  #countUsage(usage: Usage): void {
    this.#usage = addUsage(this.#usage, usage);
    this.#emit({ type: "usage", usage, cumulative: this.#usage });
  }

  #emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
