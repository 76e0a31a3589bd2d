import type { ImageBlock, TextBlock } from "../../llm/messages.ts";

export interface ToolContext {
  /** Id of the call, as the model gave it. */
  readonly callId: string;
  /** Absolute project directory; relative paths in arguments start here. */
  readonly cwd: string;
  /** Aborts when the user cancels the turn. A tool must end soon after and leave nothing running. */
  readonly signal: AbortSignal;
  /** Reports output as it comes (bash); never reaches the model. */
  progress(text: string): void;
  /** Reports all there is to show so far, in place of what was reported before; never reaches the model. */
  update(content: ToolOutcome["content"]): void;
}

export interface ToolOutcome {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
  /** Deferred tools that this result switched on (extension-host.md §4.2). */
  readonly activated?: readonly string[];
}

/** A built-in tool. `run` gets arguments that already satisfy `schema`; it never throws for a fault of the model. */
export interface BuiltinTool<Args = unknown> {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, `type: "object"`. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** May run beside other calls of the same message; absent: one after the other. */
  readonly isParallel?: boolean;
  /** Can be called, but the model is not told of it. */
  readonly isUnlisted?: boolean;
  run(args: Args, context: ToolContext): Promise<ToolOutcome>;
}

/** A plain text outcome. */
export function textOutcome(text: string, isError = false): ToolOutcome {
  return { content: [{ type: "text", text }], isError };
}
