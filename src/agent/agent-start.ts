import type { ExtensionHost } from "../host/host.ts";

export interface AgentStartOptions {
  readonly host: Pick<ExtensionHost, "intercepts">;
  readonly cwd: string;
  /** The unmodified prompt; every pass starts from it, never from what an extension made of it. */
  base(): string;
  model(): { readonly provider: string; readonly model: string };
  /** Id of the persisted conversation, or one of this process. */
  sessionId(): string;
}

/**
 * The system prompt as extensions left it (extension-host.md §4.5 before_agent_start): they are asked once, before
 * the first model request after a reset, and the result stays the same until the next reset.
 */
export class AgentStart {
  readonly #options: AgentStartOptions;
  #prepared: string | undefined;
  #resets = 0;

  constructor(options: AgentStartOptions) {
    this.#options = options;
  }

  /** Model, session or base prompt changed: the next request asks again, and a pass under way is void. */
  reset(): void {
    this.#resets += 1;
    this.#prepared = undefined;
  }

  /** Undefined when `signal` ended it: then nothing is committed and the next prompt asks again. */
  async prepare(signal: AbortSignal): Promise<string | undefined> {
    while (this.#prepared === undefined) {
      const pass = this.#resets;
      const { host, cwd, base, model, sessionId } = this.#options;
      const request = { session_id: sessionId(), agent_run_id: crypto.randomUUID(), cwd, ...model() };
      const prompt = await host.intercepts.beforeAgentStart(request, base(), signal);
      if (signal.aborted) return undefined;
      if (pass === this.#resets) this.#prepared = prompt;
    }
    return this.#prepared;
  }
}
