import type { PromptEnd } from "../agent/agent.ts";
import type { AgentEvent } from "../agent/events.ts";

/** How one headless run shows itself: print, stream or JSON. */
export interface HeadlessRun {
  event(event: AgentEvent): void;
  /** Text that a slash command wants shown. */
  display(text: string, extension: string): void;
  /** Called once, after the last event. */
  end(end: PromptEnd): void;
}
