import type { Component, TuiMouseEvent, TuiMouseEventResult } from "@earendil-works/pi-tui/dist/tui.js";
import { dispatchMouseEvent } from "@earendil-works/pi-tui/dist/tui.js";
import type { Block } from "./block.ts";

/** Blocks that are kept on the screen; a session has them all. */
const BLOCKS_MAX = 4_000;
/** How many go at once, so that the list does not move with every new block. */
const BLOCKS_DROPPED = 400;

/** All blocks, one above the other. Only what changed, and what stands below it, is put together anew. */
export class TranscriptList implements Component {
  #blocks: Block[] = [];
  #parts: (readonly string[])[] = [];
  #starts: number[] = [];
  #lines: readonly string[] = [];
  #width = 0;

  get blocks(): readonly Block[] {
    return this.#blocks;
  }

  add(block: Block): void {
    this.#blocks.push(block);
    if (this.#blocks.length <= BLOCKS_MAX) return;
    this.#blocks = this.#blocks.slice(BLOCKS_DROPPED);
    this.#forget();
  }

  remove(block: Block): void {
    const index = this.#blocks.indexOf(block);
    if (index < 0) return;
    this.#blocks.splice(index, 1);
    this.#forget();
  }

  clear(): void {
    this.#blocks = [];
    this.#forget();
  }

  /** Row at which a block starts, as last drawn. */
  rowOf(block: Block): number | undefined {
    const index = this.#blocks.indexOf(block);
    return index < 0 ? undefined : this.#starts[index];
  }

  render(width: number): readonly string[] {
    if (width !== this.#width) this.#forget();
    this.#width = width;
    const parts = this.#blocks.map((block) => block.render(width));
    let from = 0;
    while (from < parts.length && parts[from] === this.#parts[from]) from += 1;
    if (from === parts.length && parts.length === this.#parts.length) return this.#lines;
    const lines = this.#lines.slice(0, this.#starts[from] ?? this.#lines.length);
    this.#starts.length = from;
    for (const part of parts.slice(from)) {
      this.#starts.push(lines.length);
      for (const line of part) lines.push(line);
    }
    this.#parts = parts;
    this.#lines = lines;
    return lines;
  }

  handleMouse(event: TuiMouseEvent): TuiMouseEventResult | undefined {
    const index = this.#starts.findLastIndex((start) => start <= event.y);
    const block = this.#blocks[index];
    const start = this.#starts[index];
    if (block === undefined || start === undefined) return undefined;
    return dispatchMouseEvent(block, { ...event, y: event.y - start, height: this.#parts[index]?.length ?? 0 });
  }

  invalidate(): void {
    for (const block of this.#blocks) block.invalidate();
    this.#forget();
  }

  #forget(): void {
    this.#parts = [];
    this.#starts = [];
    this.#lines = [];
  }
}
