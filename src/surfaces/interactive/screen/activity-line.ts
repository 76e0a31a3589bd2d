import { clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import type { Role } from "../theme/roles.ts";
import { RowsRegion } from "./rows-region.ts";

/** What goes on right now; undefined: nothing that needs a row. */
export interface Activity {
  readonly text: string;
  readonly role: Role;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
export const ACTIVITY_TICK_MS = 120;

/** One row above the editor that moves while something is under way. */
export class ActivityLine extends RowsRegion {
  readonly #look: Look;
  readonly #activity: () => Activity | undefined;

  constructor(look: Look, activity: () => Activity | undefined) {
    super();
    this.#look = look;
    this.#activity = activity;
  }

  protected rows(width: number): readonly string[] {
    const activity = this.#activity();
    if (activity === undefined) return [];
    const frame = FRAMES[Math.floor(performance.now() / ACTIVITY_TICK_MS) % FRAMES.length] ?? "";
    return [this.#look.paint(activity.role, clampRow(`${frame} ${safeLine(activity.text, "strip")}`, width))];
  }
}
