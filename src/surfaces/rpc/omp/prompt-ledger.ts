import type { PromptEnd } from "../../../agent/agent.ts";
import { LlmError } from "../../../llm/error.ts";
import type { Model } from "../../../llm/port.ts";

/** One accepted prompt, from its acknowledgement to its one `prompt_result` (rpc-wire.md §3.1). */
export interface Accepted {
  readonly id: unknown;
  /** It reached the agent. */
  invoked: boolean;
  end: PromptEnd | undefined;
}

/** Accepted prompts that have no result yet, in the order in which they were accepted. */
export class PromptLedger {
  readonly #open = new Set<Accepted>();

  accept(id: unknown): Accepted {
    const accepted: Accepted = { id, invoked: false, end: undefined };
    this.#open.add(accepted);
    return accepted;
  }

  /** Takes out the prompts that have ended; while a run goes on, its own are not over before it is. */
  takeEnded(isRunning: boolean): readonly Accepted[] {
    return this.#take(({ end, invoked }) => end !== undefined && !(isRunning && invoked));
  }

  /** Takes out all; those that have not ended count as aborted. */
  takeAll(): readonly Accepted[] {
    const all = this.#take(() => true);
    for (const accepted of all) accepted.end ??= { kind: "aborted", text: "" };
    return all;
  }

  #take(matches: (accepted: Accepted) => boolean): readonly Accepted[] {
    const taken = [...this.#open].filter(matches);
    for (const accepted of taken) this.#open.delete(accepted);
    return taken;
  }
}

/** How a prompt ended, as the fields of its `prompt_result` (§3.1). */
export function resultFields({ id, invoked, end }: Accepted, model: Model): Readonly<Record<string, unknown>> {
  const status = end?.kind === "failed" ? "error" : (end?.kind ?? "aborted");
  return { id, agentInvoked: invoked, status, error: end?.kind === "failed" ? errorFields(end, model) : undefined };
}

function errorFields({ error }: Extract<PromptEnd, { kind: "failed" }>, model: Model): object {
  const { message, code, cause } = error;
  if (!(cause instanceof LlmError)) return { message, retryable: false, ...(code === "cost_cap" ? { code } : {}) };
  const { provider, id } = model;
  const httpStatus = cause.status === undefined ? {} : { httpStatus: cause.status };
  return { message, provider, model: id, ...httpStatus, retryable: cause.retryable };
}
