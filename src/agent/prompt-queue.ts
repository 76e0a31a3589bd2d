import type { ImageBlock, TextBlock } from "../llm/messages.ts";

/** When a prompt that came during a turn is said: before the next model request, or when the turn has ended. */
export type QueueKind = "steer" | "follow_up";

/** Whether everything that waits goes out together, or one prompt at a time. */
export type QueueMode = "all" | "one-at-a-time";

/** Prompts that may wait at once; more than a person types, less than a runaway extension sends. */
const QUEUE_MAX = 100;

export interface QueuedPrompt {
  readonly id: number;
  readonly kind: QueueKind;
  readonly content: readonly (TextBlock | ImageBlock)[];
}

/** Prompts that wait for the running turn. They can be seen, taken back and moved until they are said. */
export class PromptQueue {
  readonly modes: Record<QueueKind, QueueMode> = { steer: "one-at-a-time", follow_up: "one-at-a-time" };
  readonly #onChange: () => void;
  #waiting: QueuedPrompt[] = [];
  #lastId = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** In the order in which they came. */
  get waiting(): readonly QueuedPrompt[] {
    return this.#waiting;
  }

  get isFull(): boolean {
    return this.#waiting.length >= QUEUE_MAX;
  }

  /** Undefined when the queue is full. */
  add(kind: QueueKind, content: QueuedPrompt["content"]): QueuedPrompt | undefined {
    if (this.isFull) return undefined;
    this.#lastId += 1;
    const prompt = { id: this.#lastId, kind, content };
    this.#set([...this.#waiting, prompt]);
    return prompt;
  }

  /** Takes what is due now, as the mode of its kind says. */
  take(kind: QueueKind): QueuedPrompt[] {
    const due = this.#waiting.filter((prompt) => prompt.kind === kind);
    const taken = this.modes[kind] === "all" ? due : due.slice(0, 1);
    if (taken.length > 0) this.#set(this.#waiting.filter((prompt) => !taken.includes(prompt)));
    return taken;
  }

  /** Takes one prompt back; undefined when it was said already. */
  remove(id: number): QueuedPrompt | undefined {
    const found = this.#waiting.find((prompt) => prompt.id === id);
    if (found !== undefined) this.#set(this.#waiting.filter((prompt) => prompt !== found));
    return found;
  }

  /** Makes a follow-up the last of the steering ones; false when it was said already. */
  promote(id: number): boolean {
    const found = this.remove(id);
    if (found === undefined) return false;
    this.#set([...this.#waiting, { ...found, kind: "steer" }]);
    return true;
  }

  /** Takes everything back. */
  clear(): readonly QueuedPrompt[] {
    const taken = this.#waiting;
    if (taken.length > 0) this.#set([]);
    return taken;
  }

  #set(waiting: QueuedPrompt[]): void {
    this.#waiting = waiting;
    this.#onChange();
  }
}
