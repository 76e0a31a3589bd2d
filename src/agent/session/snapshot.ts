import { closeSync, fstatSync, openSync } from "node:fs";
import { Breather } from "./breather.ts";
import { Contents, type Place } from "./contents.ts";
import { Damage } from "./damage.ts";
import { type Line, linesOf } from "./lines.ts";
import type { DecodedMessage, Origin } from "./message-codec.ts";
import type { SessionMeta } from "./meta.ts";
import { repairCalls } from "./repair.ts";
import { parseRow, type Row } from "./row.ts";
import { fits } from "./state.ts";

/** A session file as it was read. */
export interface Snapshot {
  /** The last `meta` row; undefined when none could be read. */
  readonly meta: SessionMeta | undefined;
  readonly contents: Contents;
  /** Rows that were understood. None at all: this is no session. */
  readonly rows: number;
  /** Bytes that were read. */
  readonly end: number;
  /** Which lines were damaged, for the user. */
  readonly damage: string | undefined;
}

/**
 * Reads a whole session leniently (extension-host.md §6.3, §6.4): what stands before and after a damaged line is used,
 * rows of an unknown type are passed over, a last line that its writer did not finish is no damage. One row is held at
 * a time. Rejects with the error of the operating system.
 */
export async function readSnapshot(path: string): Promise<Snapshot> {
  const fd = openSync(path, "r");
  try {
    const end = fstatSync(fd).size;
    const reading = new Reading();
    const breather = new Breather();
    for (const line of linesOf(fd, end)) {
      reading.take(line);
      if (breather.isDue) await breather.pause();
    }
    return reading.finish(path, end);
  } finally {
    closeSync(fd);
  }
}

class Reading {
  readonly #contents = new Contents();
  readonly #damage = new Damage();
  #meta: SessionMeta | undefined;
  #rows = 0;

  take({ number, offset, text, isGarbled, isTerminated }: Line): void {
    const row = text === undefined ? undefined : parseRow(text, this.#origin());
    const isUnfinished = row === undefined && !isTerminated;
    // A row with a few bad bytes in a text says more than none, and keeps calls and results together.
    if ((row === undefined || isGarbled) && !isUnfinished) this.#damage.add(number);
    if (row === undefined) return;
    this.#rows += 1;
    this.#apply(row, offset, number);
  }

  finish(path: string, end: number): Snapshot {
    this.#contents.replace(repairCalls(this.#contents.entries));
    const damage = this.#damage.describe(path);
    return { meta: this.#meta, contents: this.#contents, rows: this.#rows, end, damage };
  }

  /** Rows that do not name their model were written by the one of the last `meta` row. */
  #origin(): Origin {
    return this.#meta ?? { provider: "", model: "" };
  }

  #apply(row: Row, offset: number, line: number): void {
    const contents = this.#contents;
    switch (row.type) {
      case "meta":
        this.#meta = row.meta;
        break;
      case "message":
        this.#add(row.decoded, { offset });
        break;
      case "usage":
        contents.cumulative = row.cumulative;
        break;
      case "compaction":
        if (row.messages.length === 0) contents.clear();
        else contents.replace([]);
        contents.eraOffset = offset;
        contents.internalContext = undefined;
        contents.cumulative = row.cumulative ?? contents.cumulative;
        row.messages.forEach(({ decoded }, element) => {
          if (decoded === undefined) this.#damage.add(line);
          else this.#add(decoded, { offset, element });
        });
        break;
      case "rename":
        if (row.title.trim() !== "") contents.rename = { title: row.title, isGenerated: row.isGenerated, offset };
        break;
      case "extension_state":
        applyState(contents, row);
        break;
    }
  }

  #add(decoded: DecodedMessage, place: Place): void {
    const contents = this.#contents;
    if (decoded.kind === "context") {
      // An older one describes a time that is over.
      contents.internalContext = decoded.text;
      return;
    }
    if (decoded.kind === "foreign") {
      for (const name of decoded.addedToolNames) contents.activated.add(name);
      return;
    }
    const { message, meta, addedToolNames } = decoded;
    contents.add({ message, meta, addedToolNames, place });
  }
}

/** Newest wins, absent and null clear, too large is ignored (§6.3). */
function applyState(contents: Contents, { extension, state }: Row & { type: "extension_state" }): void {
  if (extension === "") return;
  if (state === undefined) contents.states.delete(extension);
  else if (fits(state)) contents.states.set(extension, state);
}
