import type { Panel } from "../../../host/ports.ts";
import { clampRow, fillRow, wrapRows } from "../text/cells.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";

/** extension-host.md §5.3 [REQ] */
const ROWS_PER_LINE = 3;
/** How extensions mark the row that is chosen: these signs, or an invisible one in front (§5.3). */
const SELECTED = /^\s*(?:▸ |● |\u200b+[^\u200b\s])/;
const DONE = /^\s*✓/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
const STYLED = /\u001b\[/;

export interface PanelRows {
  readonly rows: readonly string[];
  /** Index of the row that is chosen; undefined when none is marked. */
  readonly selected: number | undefined;
}

/** The content of a panel as rows of at most `width` cells, styled by its marks. */
export function panelRows({ lines }: Panel, look: Look, width: number): PanelRows {
  const rows: string[] = [];
  let selected: number | undefined;
  for (const source of lines) {
    for (const line of safeText(source).split("\n")) {
      const plain = safeText(line, "strip");
      const isSelected = SELECTED.test(plain);
      if (isSelected) selected ??= rows.length;
      for (const row of wrapRows(line.replaceAll("\u200b", ""), width, ROWS_PER_LINE)) {
        rows.push(styledRow(row, plain, isSelected, look, width));
      }
    }
  }
  return { rows, selected };
}

function styledRow(row: string, plain: string, isSelected: boolean, look: Look, width: number): string {
  if (isSelected) return look.selected(fillRow(safeText(row, "strip"), width));
  // Its own colours stay as they are; a reset at its end is part of the row already.
  if (STYLED.test(row)) return row;
  return look.paint(DONE.test(plain) ? "success" : "text", row);
}

/** Title and footer are clipped, not wrapped. */
export function panelEdge(text: string, width: number): string {
  return clampRow(safeText(text).replaceAll("\n", " ↩ "), width);
}
