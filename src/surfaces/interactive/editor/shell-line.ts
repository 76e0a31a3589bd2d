import { bashTool } from "../../../agent/tools/bash.ts";
import { textOf } from "../../../llm/messages.ts";
import type { TranscriptView } from "../transcript/transcript.ts";

export interface ShellLines {
  readonly view: TranscriptView;
  readonly cwd: string;
  redraw(): void;
  /** Shows that something is under way until `work` has settled. */
  during<T>(text: string, work: Promise<T>): Promise<T>;
  /** Tells the model what was run and what came of it. */
  remark(text: string): void;
}

/**
 * `!command`: runs one line in a shell and shows what it says, as a card. It is the user's own command, so nobody is asked. The
 * model is told with the next prompt; `!!command` stays between the user and the shell.
 */
export class ShellLine {
  readonly #parts: ShellLines;
  readonly #running = new Set<AbortController>();

  constructor(parts: ShellLines) {
    this.#parts = parts;
  }

  /** @param line what stands behind the first `!` */
  async run(line: string): Promise<void> {
    const isPrivate = line.startsWith("!");
    const command = line.slice(isPrivate ? 1 : 0).trim();
    if (command === "") return;
    const { view, cwd, redraw, during, remark } = this.#parts;
    const abort = new AbortController();
    const card = view.tool(isPrivate ? "!!" : "!");
    card.setArguments(JSON.stringify({ command }));
    card.run();
    this.#running.add(abort);
    redraw();
    const progress = (text: string): void => {
      card.progress(text);
      redraw();
    };
    try {
      const context = { callId: "", cwd, signal: abort.signal, progress, update: () => undefined };
      const outcome = await during("running your command · esc cancels", bashTool.run({ command }, context));
      card.finish({ type: "tool_result", callId: "", ...outcome });
      if (!isPrivate) remark(`The user ran this in a shell:\n${textOf(outcome, "\n")}`);
    } finally {
      this.#running.delete(abort);
      redraw();
    }
  }

  /** Ends what runs; true when something did. */
  cancel(): boolean {
    const was = this.#running.size > 0;
    for (const abort of this.#running) abort.abort();
    return was;
  }
}
