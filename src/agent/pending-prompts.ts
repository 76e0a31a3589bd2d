import type { PromptEnd } from "./agent.ts";
import { AgentError } from "./error.ts";
import { PromptQueue, type QueuedPrompt, type QueueKind } from "./prompt-queue.ts";

type Content = QueuedPrompt["content"];

/** Prompts that are still to be said, and whoever waits for the end of the turn in which they are. */
export class PendingPrompts {
  readonly queue: PromptQueue;
  readonly #waiting = new Map<number, (end: PromptEnd) => void>();
  /** Taken from the queue for the running turn. */
  readonly #said: QueuedPrompt[] = [];
  #holds = 0;

  constructor(onChange: () => void) {
    this.queue = new PromptQueue(onChange);
  }

  /** Whether none is due, whatever waits. */
  get held(): boolean {
    return this.#holds > 0;
  }

  /** None is due until the result is disposed of. @param released called then, unless prompts waited for the user before */
  hold(released: () => void): Disposable {
    const wasEmpty = this.queue.waiting.length === 0;
    let isHeld = true;
    this.#holds += 1;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#holds -= 1;
        if (wasEmpty) released();
      },
    };
  }

  /** Resolves at the end of the turn in which it is said; at once, as failed, when too many wait. */
  add(kind: QueueKind, content: Content): Promise<PromptEnd> {
    const queued = this.queue.add(kind, content);
    if (queued !== undefined) return new Promise((resolve) => this.#waiting.set(queued.id, resolve));
    const error = new AgentError("blocked", "too many prompts are waiting already");
    return Promise.resolve({ kind: "failed", error });
  }

  /** What the next turn begins with; empty while they are held. */
  takeDue(): Content[] {
    if (this.held) return [];
    const steering = this.take("steer");
    return steering.length > 0 ? steering : this.take("follow_up");
  }

  /** What is said of this kind now. */
  take(kind: QueueKind): Content[] {
    const taken = this.queue.take(kind);
    this.#said.push(...taken);
    return taken.map(({ content }) => content);
  }

  /** The turn of all that were taken is over. */
  settle(end: PromptEnd): void {
    for (const prompt of this.#said.splice(0)) this.#tell(prompt, end);
  }

  /** Takes a waiting prompt back; whoever waits for it is told that it was aborted. */
  withdraw(id: number): QueuedPrompt | undefined {
    const prompt = this.queue.remove(id);
    if (prompt !== undefined) this.#tell(prompt, { kind: "aborted", text: "" });
    return prompt;
  }

  #tell({ id }: QueuedPrompt, end: PromptEnd): void {
    this.#waiting.get(id)?.(end);
    this.#waiting.delete(id);
  }
}
