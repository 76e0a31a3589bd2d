import type { ExtensionHost } from "../host/host.ts";
import type { ImageBlock, TextBlock, Usage } from "../llm/messages.ts";
import type { Model, ReasoningLevel } from "../llm/port.ts";
import { AgentError } from "./error.ts";
import { type AgentListener, addUsage, NO_USAGE } from "./events.ts";
import { Toolbox } from "./toolbox.ts";
import type { BuiltinTool } from "./tools/tool.ts";
import { Transcript } from "./transcript.ts";
import { runTurn } from "./turn.ts";

export interface AgentOptions {
  readonly model: Model;
  readonly host: ExtensionHost;
  readonly builtins: readonly BuiltinTool[];
  readonly systemPrompt: string;
  readonly reasoning?: ReasoningLevel;
  /** Absolute project directory. */
  readonly cwd: string;
  /** Model steps in one prompt (`--max-steps`). */
  readonly maxSteps: number;
  readonly listener: AgentListener;
  /** Resolves when the listener's reader has caught up; undefined when it has. */
  drained(): Promise<void> | undefined;
}

/** How a prompt ended. `text` is the last answer as a human may see it. */
export type PromptEnd =
  | { readonly kind: "completed"; readonly text: string }
  | { readonly kind: "aborted"; readonly text: string }
  | { readonly kind: "failed"; readonly error: AgentError };

/** A conversation with one model. Knows no surface: whoever listens shows it. */
export class Agent {
  readonly transcript = new Transcript();
  readonly #options: AgentOptions;
  readonly #toolbox: Toolbox;
  #cumulative: Usage = NO_USAGE;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#toolbox = new Toolbox(options.builtins, options.host);
  }

  /** Says `content` to the model and carries the turn to its end. Rejects only for a defect of ours. */
  async prompt(content: readonly (TextBlock | ImageBlock)[], signal: AbortSignal): Promise<PromptEnd> {
    const { listener, drained, model, host, systemPrompt, reasoning, cwd, maxSteps } = this.#options;
    const message = { role: "user", content, time: Date.now() } as const;
    this.transcript.addUser(message);
    listener({ type: "user_message", message });
    try {
      const end = await runTurn(
        {
          model,
          host,
          systemPrompt,
          reasoning,
          cwd,
          maxSteps,
          toolbox: this.#toolbox,
          transcript: this.transcript,
          emit: listener,
          drained,
          countUsage: (usage) => this.#countUsage(usage),
          now: Date.now,
        },
        signal,
      );
      return end;
    } catch (error) {
      if (error instanceof AgentError) return { kind: "failed", error };
      throw error;
    } finally {
      listener({ type: "done" });
    }
  }

  #countUsage(usage: Usage): void {
    this.#cumulative = addUsage(this.#cumulative, usage);
    this.#options.listener({ type: "usage", usage, cumulative: this.#cumulative });
  }
}
