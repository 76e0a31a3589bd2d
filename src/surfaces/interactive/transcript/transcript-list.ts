import type { ScrollView } from "@earendil-works/pi-tui/dist/components/scroll-view.js";
import type { Component, TuiMouseEvent, TuiMouseEventResult } from "@earendil-works/pi-tui/dist/tui.js";
import { dispatchMouseEvent } from "@earendil-works/pi-tui/dist/tui.js";
import type { Look } from "../theme/look.ts";
import type { Block } from "./block.ts";
import { LeftOut } from "./left-out.ts";

/** Blocks that are kept on the screen; a session has them all. */
const BLOCKS_MAX = 4_000;
/** What they keep together: texts, results, pictures. */
const CHARS_MAX = 32 * 1024 * 1024;
/** What stays of either when there is too much: the list should not move with every new block. */
const KEPT_SHARE = 0.9;
/** How long one frame may draw what is not near the screen, ms. */
const FAR_MS = 8;
/** Before the height is known. */
const SCREEN_ROWS = 24;
/** Stands in for what was never drawn. */
const UNDRAWN: readonly string[] = ["", "", ""];

/** One block and its rows. Those that are not near the screen may be of another width or theme for a few frames. */
interface Slot {
  readonly block: Block;
  rows: readonly string[];
  /** The row at which they start, as last put together. */
  start: number;
  /** At which width, and in which round of drawing, they were made; 0: never. */
  width: number;
  round: number;
}

/** What is at the top of the screen. */
interface Place {
  readonly slot: Slot;
  /** Rows of it that are above the screen. */
  readonly offset: number;
  /** What rows it had, at which width. */
  readonly rows: readonly string[];
  readonly width: number;
  readonly isJump: boolean;
  readonly isPinned: boolean;
}

/** The row that should be at the top of the screen: what was there has moved, or somebody asked to go there. */
export interface Aim {
  readonly row: number;
  /** Whether it stays there when the end comes into sight, too. */
  readonly isPinned: boolean;
}

export interface TranscriptListParts {
  readonly look: Look;
  viewport(): Pick<ScrollView, "scrollTop" | "viewportHeight" | "isFollowingEnd">;
  /** Asks for another frame, since not everything is drawn yet. */
  drawMore(): void;
}

/**
 * All blocks, one above the other. Only what changed, and what stands below it, is put together anew. When everything changes
 * (the width, the theme), a frame draws what is near the screen, and the next ones the rest.
 */
export class TranscriptList implements Component {
  readonly #parts: TranscriptListParts;
  #slots: Slot[] = [];
  /** As last put together: the slots, their rows, and all rows. */
  #shown: { readonly slot: Slot; readonly rows: readonly string[] }[] = [];
  #lines: readonly string[] = [];
  #width = 0;
  #round = 1;
  #leftOut: LeftOut | undefined;
  #target: { readonly block: Block; readonly isPinned: boolean } | undefined;
  #aim: Aim | undefined;
  /** Everything has been folded or unfolded since the last frame. */
  #isRefolded = false;

  constructor(parts: TranscriptListParts) {
    this.#parts = parts;
  }

  get blocks(): readonly Block[] {
    return this.#slots.map(({ block }) => block);
  }

  add(block: Block): void {
    this.#slots.push(slotOf(block));
    this.#dropOldest();
  }

  remove(block: Block): void {
    this.#slots = this.#slots.filter((slot) => slot.block !== block);
  }

  clear(): void {
    this.#slots = [];
    this.#leftOut = undefined;
  }

  /** The next frame starts with this block. @param isPinned whether the end is not followed even if it is in sight then */
  jumpTo(block: Block, isPinned: boolean): void {
    this.#target = { block, isPinned };
  }

  /** Where the screen should go, told once. */
  takeAim(): Aim | undefined {
    const aim = this.#aim;
    this.#aim = undefined;
    return aim;
  }

  unfold(open: boolean): void {
    for (const { block } of this.#slots) block.unfold(open);
    this.#round += 1;
    this.#isRefolded = true;
  }

  invalidate(): void {
    for (const { block } of this.#slots) block.invalidate();
    this.#round += 1;
  }

  render(width: number): readonly string[] {
    if (width !== this.#width) this.#round += 1;
    this.#width = width;
    const place = this.#place();
    for (const slot of this.#slots) if (slot.round === this.#round) this.#draw(slot);
    const [from, to] = this.#drawNear(place);
    if (!this.#drawFar(from, to)) this.#parts.drawMore();
    this.#putTogether();
    this.#aim = place === undefined ? undefined : this.#aimAt(place);
    this.#isRefolded = false;
    return this.#lines;
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    const shown = this.#shown.findLast(({ slot }) => slot.start <= event.y);
    if (shown === undefined) return undefined;
    const { block, start } = shown.slot;
    return dispatchMouseEvent(block, { ...event, y: event.y - start, height: shown.rows.length });
  }

  #dropOldest(): void {
    const slots = this.#slots.filter(({ block }) => block !== this.#leftOut);
    let chars = slots.reduce((sum, { block }) => sum + block.chars, 0);
    if (slots.length <= BLOCKS_MAX && chars <= CHARS_MAX) return;
    let dropped = 0;
    while (dropped < slots.length - 1) {
      if (slots.length - dropped <= BLOCKS_MAX * KEPT_SHARE && chars <= CHARS_MAX * KEPT_SHARE) break;
      chars -= slots[dropped]?.block.chars ?? 0;
      dropped += 1;
    }
    this.#leftOut ??= new LeftOut(this.#parts.look);
    this.#leftOut.add(dropped);
    this.#slots = [slotOf(this.#leftOut), ...slots.slice(dropped)];
  }

  /** Undefined: the end is followed, or nothing was shown yet. */
  #place(): Place | undefined {
    const target = this.#target;
    this.#target = undefined;
    const slot = this.#slots.find(({ block }) => block === target?.block);
    if (target !== undefined && slot !== undefined) {
      return { slot, offset: 0, rows: UNDRAWN, width: 0, isJump: true, isPinned: target.isPinned };
    }
    const { scrollTop, isFollowingEnd } = this.#parts.viewport();
    if (isFollowingEnd) return undefined;
    const at = this.#shown.findLastIndex(({ slot }) => slot.start <= scrollTop);
    const there = new Set(this.#slots);
    for (const [index, { slot, rows }] of this.#shown.entries()) {
      if (index < at || !there.has(slot)) continue;
      const offset = index === at ? scrollTop - slot.start : 0;
      return { slot, offset, rows, width: slot.width, isJump: false, isPinned: false };
    }
    return undefined;
  }

  #draw(slot: Slot): number {
    slot.rows = slot.block.render(this.#width);
    slot.width = this.#width;
    slot.round = this.#round;
    return slot.rows.length;
  }

  /** Draws what the screen shows, and as much above and below it. @returns the range of slots that was drawn */
  #drawNear(place: Place | undefined): readonly [from: number, to: number] {
    const height = this.#parts.viewport().viewportHeight || SCREEN_ROWS;
    let from = place === undefined ? this.#slots.length : this.#slots.indexOf(place.slot);
    let to = from;
    let below = -(place?.offset ?? 0);
    for (const slot of this.#slots.slice(to)) {
      if (below >= 2 * height) break;
      below += this.#draw(slot);
      to += 1;
    }
    let above = Math.min(0, below - height);
    while (from > 0 && above < height) {
      from -= 1;
      const slot = this.#slots[from];
      if (slot !== undefined) above += this.#draw(slot);
    }
    return [from, to];
  }

  /** False when there was not enough time for all of it. */
  #drawFar(from: number, to: number): boolean {
    const end = performance.now() + FAR_MS;
    for (const slot of [...this.#slots.slice(0, from).reverse(), ...this.#slots.slice(to)]) {
      if (slot.round === this.#round) continue;
      if (performance.now() > end) return false;
      this.#draw(slot);
    }
    return true;
  }

  #putTogether(): void {
    const slots = this.#slots;
    let same = 0;
    while (same < slots.length && slots[same] === this.#shown[same]?.slot) {
      if (slots[same]?.rows !== this.#shown[same]?.rows) break;
      same += 1;
    }
    if (same === slots.length && same === this.#shown.length) return;
    const lines = this.#lines.slice(0, this.#shown[same]?.slot.start ?? this.#lines.length);
    for (const slot of slots.slice(same)) {
      slot.start = lines.length;
      for (const row of slot.rows) lines.push(row);
    }
    this.#shown = slots.map((slot) => ({ slot, rows: slot.rows }));
    this.#lines = lines;
  }

  #aimAt(place: Place): Aim | undefined {
    const { slot, isJump, isPinned } = place;
    const row = slot.start + Math.min(this.#movedOffset(place), Math.max(0, slot.rows.length - 1));
    return isJump || row !== this.#parts.viewport().scrollTop ? { row, isPinned } : undefined;
  }

  /** How far down in its block what was at the top of the screen is by now. */
  #movedOffset({ slot, offset, rows, width, isJump }: Place): number {
    if (isJump || offset === 0) return 0;
    // Wrapped at another width, the same words are as far down as it is longer.
    if (width !== slot.width) return rows.length === 0 ? offset : Math.round((offset * slot.rows.length) / rows.length);
    const fromEnd = offset + slot.rows.length - rows.length;
    if (slot.rows[offset] === rows[offset]) return offset;
    // What folds may fold its beginning.
    if (fromEnd >= 0 && slot.rows[fromEnd] === rows[offset]) return fromEnd;
    return this.#isRefolded ? 0 : offset;
  }
}

function slotOf(block: Block): Slot {
  return { block, rows: UNDRAWN, start: 0, width: 0, round: 0 };
}
