import { LlmError } from "../llm/error.ts";
import type { Usage } from "../llm/messages.ts";
import type { Model, ToolDefinition } from "../llm/port.ts";
import { COMPACTION_KEEPS, type CompactionEnd, summarise, summaryMessage } from "./compaction.ts";
import type { AgentError } from "./error.ts";
import type { AgentListener, CompactionReason } from "./events.ts";
import type { RetryWait } from "./retry-wait.ts";
import type { Session } from "./session/session.ts";

/** Share of the context window that may be used before the conversation is summarised (extension-host.md §8.5). */
const THRESHOLD = 0.85;

export interface CompactorOptions {
  readonly retries: RetryWait;
  readonly emit: AgentListener;
  readonly model: () => Model;
  readonly session: () => Session;
  readonly tools: () => readonly ToolDefinition[];
  /** Called when the conversation was replaced. */
  readonly compacted: () => void;
}

/** Keeps the conversation within the model's context, on demand and by itself (extension-host.md §8.5). */
export class Compactor {
  /** False: only when somebody asks. */
  isAutomatic = true;
  readonly #options: CompactorOptions;
  /** Tokens of the newest request and its answer; 0 when none was sent of this conversation. */
  #tokens = 0;

  constructor(options: CompactorOptions) {
    this.#options = options;
  }

  countUsage({ input, output, cacheRead, cacheWrite }: Usage): void {
    this.#tokens = input + output + cacheRead + cacheWrite;
  }

  /** Another conversation is open. */
  forget(): void {
    this.#tokens = 0;
  }

  /** Whether the next request would come too close to the end of the window. */
  get isDue(): boolean {
    const { contextWindow } = this.#options.model();
    return this.isAutomatic && contextWindow > 0 && this.#tokens > contextWindow * THRESHOLD;
  }

  /** Whether a turn that failed so may succeed once the conversation is shorter. */
  canHelp({ cause }: AgentError): boolean {
    return this.isAutomatic && cause instanceof LlmError && cause.code === "context_overflow";
  }

  /** Summarises most of the conversation. @param instructions what the summary should pay attention to */
  async run(reason: CompactionReason, instructions: string, signal: AbortSignal): Promise<CompactionEnd> {
    const { emit, model, session, tools, retries, compacted } = this.#options;
    emit({ type: "compact_start", reason });
    const open = session();
    const request = { model: model(), messages: open.messages, tools: tools(), instructions, retries, emit };
    const end = await summarise(request, signal);
    if (end.kind === "compacted") {
      const { summary, tokensBefore } = end;
      open.compact({ summary: summaryMessage(summary), keep: COMPACTION_KEEPS, tokensBefore });
      this.forget();
      emit({ type: "compact_done", reason, summary, tokensBefore });
      compacted();
    } else emit({ type: "compact_failed", reason, ...(end.kind === "failed" ? { error: end.error.message } : {}) });
    return end;
  }
}
