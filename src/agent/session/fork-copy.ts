import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from "node:fs";
import { NO_USAGE } from "../events.ts";
import { Breather } from "./breather.ts";
import { type Line, linesOf } from "./lines.ts";
import { type DecodedMessage, encodeMessage, type Origin } from "./message-codec.ts";
import type { SessionMeta } from "./meta.ts";
import { messageRow, metaRow, parseRow, type Row, usageRow } from "./row.ts";
import { fits } from "./state.ts";

/** Which rows of a session a fork takes over. Offsets are bytes in its file. */
export interface Cut {
  /** Rows that begin here or later are left out. */
  readonly end: number;
  /** The last `compaction` row: of what stands before it only state and usage still count. */
  readonly eraOffset: number | undefined;
  /** Leaves out the messages of that row from this one on, and every row behind it. */
  readonly element?: number;
}

/**
 * Writes a session with the given metadata into the open file `target`: the messages, usage and extension state of
 * `source` as of the cut, in order (extension-host.md §6.4). Rows are copied as they stand, so that nothing is lost that
 * only another host understands; damaged ones stay behind. Then everything is flushed to the disk. Rejects with the
 * operating system's error.
 */
export async function copyRows(source: string, target: number, meta: SessionMeta, cut: Cut): Promise<void> {
  const fd = openSync(source, "r");
  try {
    const copy = new ForkCopy(target, meta, cut);
    const breather = new Breather();
    for (const line of linesOf(fd, Math.min(copy.end, fstatSync(fd).size))) {
      if (!copy.take(line)) break;
      if (breather.isDue) await breather.pause();
    }
    copy.finish();
    fsyncSync(target);
  } finally {
    closeSync(fd);
  }
}

class ForkCopy {
  /** Past the `compaction` row when the cut is inside it. */
  readonly end: number;
  readonly #target: number;
  readonly #meta: SessionMeta;
  readonly #cut: Cut;
  /** Who answers at this place: rows of other hosts do not say it themselves. */
  #origin: Origin;
  #written: Origin | undefined;
  /** Latest rows before the transcript begins. */
  readonly #states = new Map<string, string>();
  #usage: string | undefined;

  constructor(target: number, meta: SessionMeta, cut: Cut) {
    this.#target = target;
    this.#meta = meta;
    this.#cut = cut;
    this.#origin = meta;
    this.end = cut.element === undefined ? cut.end : Number.MAX_SAFE_INTEGER;
  }

  /** False when the cut is reached. */
  take({ offset, text }: Line): boolean {
    const { eraOffset = 0, element, end } = this.#cut;
    if (element === undefined ? offset >= end : offset > eraOffset) return false;
    const row = text === undefined ? undefined : parseRow(text, this.#origin);
    if (text === undefined || row === undefined) return true;
    if (row.type === "meta") this.#origin = row.meta;
    else if (offset < eraOffset) this.#remember(row, text);
    else if (offset === this.#cut.eraOffset && row.type === "compaction") this.#begin(row, element);
    else this.#copy(row, text);
    return true;
  }

  /** The fork goes on with the model that its parent has now; and an empty one has a first row, too. */
  finish(): void {
    this.#origin = this.#meta;
    this.#writeMeta();
  }

  #remember(row: Row, text: string): void {
    if (row.type === "extension_state" && isKept(row)) this.#states.set(row.extension, text);
    if (row.type === "usage") this.#usage = text;
    if (row.type === "compaction" && row.cumulative !== undefined) this.#usage = usageRow(NO_USAGE, row.cumulative);
  }

  #begin(row: Row & { type: "compaction" }, element: number | undefined): void {
    for (const state of this.#states.values()) this.#write(state);
    if (row.cumulative !== undefined) this.#usage = usageRow(NO_USAGE, row.cumulative);
    for (const { raw, decoded } of row.messages.slice(0, element)) this.#writeMessage(raw, decoded);
    // Behind the messages: the readers take a usage row for the state of the transcript before it.
    if (this.#usage !== undefined) this.#write(this.#usage);
  }

  #copy(row: Row, text: string): void {
    if (row.type === "message") this.#writeMessage(row.raw, row.decoded);
    if (row.type === "usage" || (row.type === "extension_state" && isKept(row))) this.#write(text);
  }

  /** What a strict reader would refuse is written anew. */
  #writeMessage(raw: () => string, decoded: DecodedMessage | undefined): void {
    if (decoded?.isWhole === true) this.#write(messageRow(raw()));
    if (decoded?.isWhole !== false || decoded.kind !== "message") return;
    const text = encodeMessage(decoded.message, decoded);
    if (text !== undefined) this.#write(messageRow(text));
  }

  /** Once at the start, and wherever the model changed. */
  #writeMeta(): void {
    const { provider, model } = this.#origin;
    if (this.#written?.provider === provider && this.#written.model === model) return;
    this.#written = { provider, model };
    this.#writeRow(metaRow({ ...this.#meta, provider, model }));
  }

  #write(row: string): void {
    this.#writeMeta();
    this.#writeRow(row);
  }

  #writeRow(row: string): void {
    const bytes = Buffer.from(`${row}\n`);
    if (writeSync(this.#target, bytes) < bytes.length) throw new Error("no space left on device");
  }
}

function isKept({ extension, state }: Row & { type: "extension_state" }): boolean {
  return extension !== "" && (state === undefined || fits(state));
}
