import type { ScrollView } from "@earendil-works/pi-tui/dist/components/scroll-view.js";
import { LAYOUT_NODE, type StackLayoutNode } from "@earendil-works/pi-tui/dist/layout-node.js";
import type { Terminal } from "@earendil-works/pi-tui/dist/terminal.js";
import { type Component, Container } from "@earendil-works/pi-tui/dist/tui.js";
import { allot } from "./allot.ts";
import type { Region } from "./region.ts";

/** One row in so many belongs to the transcript, whatever the regions want. */
const TRANSCRIPT_SHARE = 6;

export interface ShellParts {
  readonly transcript: ScrollView;
  /** From top to bottom, each with its importance: the smaller the number, the later it loses rows. */
  readonly regions: readonly { readonly region: Region; readonly rank: number }[];
}

/**
 * The whole screen: the transcript, and below it the regions. Decides anew for every frame who gets how many rows, so that
 * no content and no size of the window can push the editor off the screen.
 */
export class Shell extends Container {
  readonly #terminal: Terminal;
  readonly #parts: ShellParts;

  constructor(terminal: Terminal, parts: ShellParts) {
    super();
    this.#terminal = terminal;
    this.#parts = parts;
    this.addChild(parts.transcript);
    for (const { region } of parts.regions) this.addChild(region);
  }

  [LAYOUT_NODE](): StackLayoutNode {
    const { columns, rows } = this.#terminal;
    const ranked = [...this.#parts.regions].sort((a, b) => a.rank - b.rank);
    const wishes = ranked.map(({ region }) => region.wish(columns, rows));
    const given = allot(rows, Math.max(1, Math.floor(rows / TRANSCRIPT_SHARE)), wishes);
    const sizes = new Map<Component, number>();
    for (const [index, { region }] of ranked.entries()) {
      const size = given[index] ?? 0;
      region.fit(size);
      sizes.set(region, size);
    }
    const used = given.reduce((sum, size) => sum + size, 0);
    const entry = (component: Component, basis: number) => ({ component, basis, grow: 0, shrink: 0 });
    return {
      type: "vstack",
      gap: 0,
      align: "stretch",
      entries: [
        entry(this.#parts.transcript, Math.max(0, rows - used)),
        ...this.#parts.regions.map(({ region }) => entry(region, sizes.get(region) ?? 0)),
      ].filter(({ basis }) => basis > 0),
    };
  }
}
