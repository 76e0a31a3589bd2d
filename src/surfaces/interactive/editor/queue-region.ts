import type { QueuedPrompt } from "../../../agent/prompt-queue.ts";
import { RowsRegion } from "../screen/rows-region.ts";
import { clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { contentText } from "../transcript/conversation.ts";

const ROWS_MAX = 4;

/** Prompts that wait for the running turn, oldest first, and how to get them back. */
export class QueueRegion extends RowsRegion {
  readonly #look: Look;
  readonly #waiting: () => readonly QueuedPrompt[];

  constructor(look: Look, waiting: () => readonly QueuedPrompt[]) {
    super();
    this.#look = look;
    this.#waiting = waiting;
  }

  protected rows(width: number): readonly string[] {
    const waiting = this.#waiting();
    if (waiting.length === 0) return [];
    const rows = waiting.slice(0, ROWS_MAX).map((prompt) => {
      const text = safeLine(contentText(prompt.content).slice(0, width * 4), "strip");
      return this.#look.paint("muted", clampRow(`⧗ ${text}`, width));
    });
    const more = waiting.length > ROWS_MAX ? `${waiting.length - ROWS_MAX} more · ` : "";
    return [...rows, this.#look.paint("faint", clampRow(`  ${more}↑ takes the last one back`, width))];
  }
}
