import { cellWidth, clampRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { RowsRegion } from "./rows-region.ts";

/** One piece of the status line; on a narrow screen those with the highest `rank` go first. */
export interface StatusPiece {
  readonly text: string;
  readonly rank: number;
}

const SEPARATOR = " · ";

/** The last row: model, reasoning, directory, context, cost, extensions. */
export class StatusLine extends RowsRegion {
  readonly #look: Look;
  readonly #pieces: () => readonly StatusPiece[];

  constructor(look: Look, pieces: () => readonly StatusPiece[]) {
    super();
    this.#look = look;
    this.#pieces = pieces;
  }

  protected rows(width: number): readonly string[] {
    let pieces = this.#pieces().filter(({ text }) => text !== "");
    while (pieces.length > 1 && cellWidth(joined(pieces)) > width - 1) {
      const last = Math.max(...pieces.map(({ rank }) => rank));
      pieces = pieces.filter(({ rank }) => rank !== last);
    }
    return [this.#look.paint("muted", clampRow(` ${joined(pieces)}`, width))];
  }
}

function joined(pieces: readonly StatusPiece[]): string {
  return pieces.map(({ text }) => safeLine(text, "strip")).join(SEPARATOR);
}
