import type { EventPayload } from "../../wire/frames.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** Events that extensions observe (extension-host.md §4.4). */
export type ObservedEvent =
  | "session_start"
  | "turn_start"
  | "turn_end"
  | "tool_call"
  | "tool_confirmation_requested"
  | "assistant_message";

/** Fire and forget, in the order of emission for every extension (defect 5). */
export class Events {
  readonly #subscriptions: Subscriptions;

  constructor(subscriptions: Subscriptions) {
    this.#subscriptions = subscriptions;
  }

  emit(event: ObservedEvent, payload: EventPayload = {}): void {
    for (const extension of this.#subscriptions.observers(event)) {
      extension.connection?.send("event", { event, ...payload });
    }
  }
}
