import { matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import type { TuiMouseEvent, TuiMouseEventResult } from "@earendil-works/pi-tui/dist/tui.js";
import type { Panels } from "../../../host/contributions/panels.ts";
import type { Panel } from "../../../host/ports.ts";
import type { Wish } from "../screen/allot.ts";
import type { Region } from "../screen/region.ts";
import { cellWidth, fitRow } from "../text/cells.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { panelKey } from "./panel-keys.ts";
import { panelEdge, panelRows } from "./panel-rows.ts";

/** What the region needs of the host's panel room. */
export type PanelSlotKeys = Pick<Panels, "open" | "resize" | "setFocused" | "close" | "key" | "paste">;

/** Title, one row of content, footer. */
const LEAST = 3;
/** experience.md: at most a third of the height. */
const SHARE = 3;

/** The one panel there is (extension-host.md §5.1): keys go to its owner, and Esc or Ctrl-C always close it here. */
export class PanelRegion implements Region {
  /** Page keys are for the panel, not for the transcript behind it. */
  readonly capturesViewportInput = true;
  readonly #look: Look;
  readonly #panels: PanelSlotKeys;
  #height = 0;
  #scroll = 0;
  /** Rows of content that were shown last. */
  #room = 1;
  #selected: number | undefined;
  #isFocused = false;

  constructor(look: Look, panels: PanelSlotKeys) {
    this.#look = look;
    this.#panels = panels;
  }

  /** Whether keys reach it; another dialog may lie over it. */
  setFocused(isFocused: boolean): void {
    this.#isFocused = isFocused;
    this.#panels.setFocused(isFocused);
  }

  /** Another panel than before. */
  opened(): void {
    this.#scroll = 0;
    this.#selected = undefined;
  }

  wish(width: number, height: number): Wish {
    const panel = this.#panels.open;
    if (panel === undefined) return { min: 0, want: 0 };
    const most = Math.max(LEAST, Math.floor(height / SHARE));
    const { rows } = panelRows(panel, this.#look, contentWidth(width));
    const want = Math.min(most, rows.length + edges(panel));
    this.#panels.resize(contentWidth(width), Math.max(1, most - edges(panel)));
    return { min: Math.min(LEAST, want), want };
  }

  fit(rows: number): void {
    this.#height = rows;
  }

  render(width: number): readonly string[] {
    const panel = this.#panels.open;
    if (panel === undefined || this.#height === 0) return [];
    const { rows, selected } = panelRows(panel, this.#look, contentWidth(width));
    const room = Math.max(1, this.#height - edges(panel));
    this.#follow(rows.length, room, selected);
    const shown = rows.slice(this.#scroll, this.#scroll + room);
    const hidden = rows.length - shown.length;
    const footer = panel.footer === "" ? [] : [this.#look.paint("muted", panelEdge(` ${panel.footer}`, width))];
    const all = [this.#title(panel, hidden, width), ...shown.map((row) => ` ${row}`), ...footer];
    return all.slice(0, this.#height).map((row) => fitRow(row, width));
  }

  invalidate(): void {
    return;
  }

  handleInput(data: string): void {
    const key = panelKey(data);
    switch (key.kind) {
      case "close":
        this.#panels.close();
        break;
      case "named":
        if (matchesKey(data, "pageUp")) this.#scroll -= this.#room;
        if (matchesKey(data, "pageDown")) this.#scroll += this.#room;
        this.#panels.key(key.name);
        break;
      case "rune":
        this.#panels.key("rune", key.text);
        break;
      case "paste":
        this.#panels.paste(key.text);
        break;
      case "none":
        break;
    }
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    if (event.type !== "wheel") return undefined;
    this.#scroll += event.wheelDelta ?? 0;
    return { handled: true };
  }

  #title(panel: Panel, hidden: number, width: number): string {
    const more = hidden > 0 ? `… ${hidden} more ` : "";
    const owner = panel.title === panel.extension ? "" : `[${safeLine(panel.extension, "strip")}] `;
    const title = panelEdge(`── ${owner}${panel.title} `, Math.max(1, width - more.length));
    const line = "─".repeat(Math.max(0, width - cellWidth(title) - more.length));
    const role = this.#isFocused ? "borderFocused" : "border";
    return this.#look.paint(role, title + line) + this.#look.paint("faint", more);
  }

  /** Brings a row into view when it is chosen, or the room has changed; after that it stays where the user scrolled to. */
  #follow(total: number, room: number, selected: number | undefined): void {
    if (selected !== undefined && (selected !== this.#selected || room !== this.#room)) {
      if (selected < this.#scroll) this.#scroll = selected;
      if (selected >= this.#scroll + room) this.#scroll = selected - room + 1;
    }
    this.#selected = selected;
    this.#room = room;
    this.#scroll = Math.max(0, Math.min(this.#scroll, total - room));
  }
}

function contentWidth(width: number): number {
  return Math.max(1, width - 2);
}

/** Rows that are not content. */
function edges(panel: Panel): number {
  return panel.footer === "" ? 1 : 2;
}
