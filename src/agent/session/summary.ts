import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { textOf } from "../../llm/messages.ts";
import { SESSION_FIRST_ROW_MAX_BYTES, SESSION_HEAD_BYTES, SESSION_TAIL_BYTES } from "../../wire/limits.ts";
import type { SessionMeta } from "./meta.ts";
import { parseRow, type Row } from "./row.ts";
import { tidyTitle } from "./title.ts";

/** Enough of a prompt for a title, escapes included. */
const BEGINNING_CHARS = 4_096;

/** One session in a list. */
export interface SessionSummary {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  /** Given by the user or a model, else the beginning of the first prompt; "" when there is neither. */
  readonly title: string;
  readonly cwd: string;
  readonly provider: string;
  readonly model: string;
  /** RFC 3339; "" when unknown. */
  readonly started: string;
  /** Last change, in ms since the epoch. */
  readonly modified: number;
  readonly bytes: number;
  readonly parent?: string;
  readonly isHidden: boolean;
  /** Somebody said something in it; without that there is nothing to continue. */
  readonly hasContent: boolean;
}

/**
 * Describes a session from the beginning and the end of its file, whatever its size. Throws the operating system's error.
 */
export function describeSession(path: string): SessionSummary {
  const fd = openSync(path, "r");
  try {
    const { size, mtimeMs } = fstatSync(fd);
    const glimpse = new Glimpse();
    const isSmall = size <= SESSION_HEAD_BYTES + SESSION_TAIL_BYTES;
    glimpse.takeHead(isSmall ? read(fd, 0, size) : readHead(fd), !isSmall);
    // The byte before tells whether the window begins with a whole row.
    if (!isSmall) glimpse.takeTail(read(fd, size - SESSION_TAIL_BYTES - 1, size));
    return glimpse.summary(path, size, mtimeMs);
  } finally {
    closeSync(fd);
  }
}

/** The first row holds the id, so it is read whole if it can be. */
function readHead(fd: number): string {
  const head = read(fd, 0, SESSION_HEAD_BYTES);
  return head.includes("\n") ? head : read(fd, 0, SESSION_FIRST_ROW_MAX_BYTES);
}

function read(fd: number, from: number, to: number): string {
  const bytes = Buffer.alloc(to - from);
  return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from)).toString("utf8");
}

class Glimpse {
  #meta: SessionMeta | undefined;
  #renamed = "";
  #prompt = "";
  #hasContent = false;

  /** `isCut`: the file goes on, so the last line may be the beginning of a row. */
  takeHead(text: string, isCut: boolean): void {
    const lines = text.replace(/^\uFEFF/, "").split("\n");
    const cutLine = isCut ? lines.pop() : undefined;
    for (const line of lines) this.#take(line);
    if (cutLine !== undefined) this.#takeBeginning(cutLine);
  }

  /** The first line is the rest of a row, or empty. */
  takeTail(text: string): void {
    this.#hasContent = true;
    for (const line of text.split("\n").slice(1)) this.#take(line);
  }

  summary(path: string, bytes: number, modified: number): SessionSummary {
    const meta = this.#meta;
    return {
      id: meta?.id ?? basename(path, ".jsonl"),
      path,
      title: this.#renamed || tidyTitle(meta?.title ?? "") || this.#prompt,
      cwd: meta?.cwd ?? "",
      provider: meta?.provider ?? "",
      model: meta?.model ?? "",
      started: meta?.started ?? "",
      modified,
      bytes,
      ...(meta?.parent === undefined ? {} : { parent: meta.parent }),
      isHidden: meta?.hideFromSessions === true,
      hasContent: this.#hasContent,
    };
  }

  #take(line: string): void {
    const row = parseRow(line, { provider: "", model: "" });
    if (row === undefined) return;
    if (row.type === "meta") this.#meta = row.meta;
    if (row.type === "rename") this.#renamed = tidyTitle(row.title) || this.#renamed;
    if (row.type === "message" || row.type === "compaction" || row.type === "extension_state") this.#hasContent = true;
    if (row.type === "message" && this.#prompt === "") this.#prompt = promptOf(row);
    // Emptied: what was said before is no part of it any more.
    if (row.type === "compaction" && row.messages.length === 0) {
      this.#prompt = "";
      this.#hasContent = false;
    }
  }

  /** A first prompt with a pasted file or an image reaches past the window; its beginning is enough for a title. */
  #takeBeginning(line: string): void {
    this.#hasContent = true;
    if (this.#prompt !== "" || !line.startsWith('{"type":"message","message":{"role":"user"')) return;
    const from = line.indexOf('"text":"');
    const text = /"text":("(?:[^"\\]|\\.)*)/.exec(line.slice(from, from + BEGINNING_CHARS))?.[1] ?? "";
    try {
      this.#prompt = tidyTitle(String(JSON.parse(`${text.replace(/\\u[0-9a-fA-F]{0,3}$/, "")}"`)));
    } catch {
      // Without a text before the cut there is no title to be had.
      return;
    }
  }
}

function promptOf({ decoded }: Row & { type: "message" }): string {
  if (decoded.kind !== "message" || decoded.message.role !== "user") return "";
  return "compaction" in decoded.meta ? "" : tidyTitle(textOf(decoded.message, " "));
}
