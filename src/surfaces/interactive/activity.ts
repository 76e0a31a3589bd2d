import type { AgentEvent } from "../../agent/events.ts";
import type { Activity } from "./screen/activity-line.ts";

/** What the agent is doing right now, in a few words with a clock. */
export class AgentActivity {
  readonly #others = new Set<{ readonly text: string }>();
  #text: string | undefined;
  #since = 0;
  #retryAt: number | undefined;
  #tool: string | undefined;

  /** Something is under way besides the agent's turn, until the result is called. */
  wait(text: string): () => void {
    const other = { text };
    this.#others.add(other);
    return () => this.#others.delete(other);
  }

  take(event: AgentEvent): void {
    switch (event.type) {
      case "user_message":
      case "request_started":
        this.#set("waiting for the model");
        break;
      case "reasoning_delta":
        this.#set("thinking");
        break;
      case "text_delta":
      case "tool_use_start":
        this.#set("writing");
        break;
      case "retry_scheduled":
        this.#set(`attempt ${event.attempt} of ${event.maxAttempts} · esc cancels · ${event.reason}`);
        this.#retryAt = performance.now() + event.delayMs;
        break;
      case "approval_requested":
        // The question itself is on the screen; nothing moves until it is answered.
        this.#set(undefined);
        break;
      case "tool_execution_started":
        this.#tool = event.name;
        this.#set(`running ${event.name}`);
        break;
      case "tool_result":
        if (this.#tool !== undefined) this.#set("working");
        this.#tool = undefined;
        break;
      case "compact_start":
        this.#set("summarising the conversation");
        break;
      case "compact_done":
      case "done":
        this.#set(undefined);
        break;
      default:
        return;
    }
  }

  /** What is under way besides the agent's turn. */
  get other(): Activity | undefined {
    const last = [...this.#others].at(-1);
    return last === undefined ? undefined : { text: last.text, role: "accent" };
  }

  get turn(): Activity | undefined {
    if (this.#text === undefined) return undefined;
    const now = performance.now();
    if (this.#retryAt !== undefined) {
      const left = Math.max(0, Math.ceil((this.#retryAt - now) / 1000));
      return { text: `retrying in ${left} s · ${this.#text}`, role: "warn" };
    }
    return { text: `${this.#text} · ${Math.floor((now - this.#since) / 1000)} s · esc cancels`, role: "accent" };
  }

  #set(text: string | undefined): void {
    if (this.#text === undefined) this.#since = performance.now();
    this.#text = text;
    this.#retryAt = undefined;
  }
}
