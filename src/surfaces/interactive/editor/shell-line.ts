import { bashTool } from "../../../agent/tools/bash.ts";
import type { TranscriptView } from "../transcript/transcript.ts";

export interface ShellLines {
  readonly view: TranscriptView;
  readonly cwd: string;
  redraw(): void;
}

/**
 * `!command`: runs one line in a shell and shows what it says, as a card. It is the user's own command, so nobody is asked, and
 * the model hears nothing of it.
 */
export class ShellLine {
  readonly #parts: ShellLines;
  readonly #running = new Set<AbortController>();

  constructor(parts: ShellLines) {
    this.#parts = parts;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  async run(command: string): Promise<void> {
    if (command === "") return;
    const { view, cwd, redraw } = this.#parts;
    const abort = new AbortController();
    const card = view.tool("!");
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
      const outcome = await bashTool.run({ command }, context);
      card.finish({ type: "tool_result", callId: "", ...outcome });
    } finally {
      this.#running.delete(abort);
      redraw();
    }
  }

  /** Ends what runs; true when something did. */
  cancel(): boolean {
    const was = this.isRunning;
    for (const abort of this.#running) abort.abort();
    return was;
  }
}
