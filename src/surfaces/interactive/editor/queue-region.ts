import type { Agent } from "../../../agent/agent.ts";
import { RowsRegion } from "../screen/rows-region.ts";
import { clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { contentText } from "../transcript/conversation.ts";

const ROWS_MAX = 4;

/** Prompts that wait for the running turn, or behind one that failed, oldest first, and what to do with them. */
export class QueueRegion extends RowsRegion {
  readonly #look: Look;
  readonly #agent: Pick<Agent, "queue" | "busy">;

  constructor(look: Look, agent: Pick<Agent, "queue" | "busy">) {
    super();
    this.#look = look;
    this.#agent = agent;
  }

  protected rows(width: number): readonly string[] {
    const { waiting } = this.#agent.queue;
    if (waiting.length === 0) return [];
    const rows = waiting.slice(0, ROWS_MAX).map((prompt) => {
      const text = safeLine(contentText(prompt.content).slice(0, width * 4), "strip");
      return this.#look.paint("muted", clampRow(`⧗ ${text}`, width));
    });
    const more = waiting.length > ROWS_MAX ? `${waiting.length - ROWS_MAX} more · ` : "";
    const keys = this.#agent.busy ? "↑ takes the last one back" : "enter sends · ↑ takes the last one back";
    return [...rows, this.#look.paint("faint", clampRow(`  ${more}${keys}`, width))];
  }
}
