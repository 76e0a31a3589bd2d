import type { PanelKeyName } from "../../wire/frames.ts";
import { CHROME_LINE_MAX_CHARS, PANEL_LINES_MAX } from "../../wire/limits.ts";
import type { Extension } from "../extension.ts";
import { ownerOf } from "../owner.ts";
import type { Panel } from "../ports.ts";
import type { Attention } from "./attention.ts";
import { clip, clipLines } from "./clip.ts";

/** What an extension wants in its panel; absent texts are empty. */
export interface PanelSpec {
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly footer: string;
}

/** Cells. */
export interface PanelSize {
  readonly width: number;
  readonly height: number;
}

/** One open panel: what it shows, and the line to its owner. */
export class PanelSlot {
  readonly owner: Extension;
  #panel: Panel;
  #toldSize: PanelSize | undefined;
  #hold: Disposable | undefined;

  constructor(owner: Extension, fields: PanelSpec) {
    this.owner = owner;
    this.#panel = panelOf(owner, fields);
  }

  get panel(): Panel {
    return this.#panel;
  }

  /** Whether the owner counts as waiting for a human. */
  get isWatched(): boolean {
    return this.#hold !== undefined;
  }

  isOf(owner: Extension, id: string): boolean {
    return this.owner === owner && this.#panel.id === id;
  }

  fill(fields: PanelSpec): void {
    this.#panel = panelOf(this.owner, fields);
  }

  /** Begins to count the owner among those that wait for a human; undefined: ends it. */
  watch(attention: Attention | undefined): void {
    if (attention === undefined) {
      this.#hold?.[Symbol.dispose]();
      this.#hold = undefined;
    } else this.#hold ??= attention.hold(this.owner);
  }

  /** The owner hears that its panel is closed. */
  sendClose(): void {
    this.owner.connection?.send("panel_close", { panel_id: this.#panel.id });
  }

  sendKey(key: PanelKeyName): void {
    this.owner.connection?.send("panel_key", { panel_id: this.#panel.id, key });
  }

  sendRunes(runes: readonly string[]): void {
    const panel_id = this.#panel.id;
    this.owner.connection?.sendTogether(
      "panel_key",
      runes.map((text) => ({ panel_id, key: "rune", text })),
    );
  }

  /** Once for every size. */
  tellSize({ width, height }: PanelSize): void {
    if (this.owner.dialect !== 2) return;
    if (this.#toldSize?.width === width && this.#toldSize.height === height) return;
    this.#toldSize = { width, height };
    this.owner.connection?.send("panel_resize", { panel_id: this.#panel.id, width, height });
  }
}

function panelOf(owner: Extension, { id, title, lines, footer }: PanelSpec): Panel {
  return {
    ...ownerOf(owner),
    id,
    title: title === "" ? owner.name : clip(title, CHROME_LINE_MAX_CHARS),
    lines: clipLines(lines, PANEL_LINES_MAX, CHROME_LINE_MAX_CHARS),
    footer: clip(footer, CHROME_LINE_MAX_CHARS),
  };
}
