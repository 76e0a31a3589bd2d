import { closeSync, mkdirSync, openSync, renameSync } from "node:fs";
import { basename, dirname } from "node:path";
import { systemText } from "../../host/error.ts";
import { Contents, type Entry } from "./contents.ts";
import { type Cut, copyRows } from "./fork-copy.ts";
import { SessionLock } from "./lock.ts";
import { forkedMeta, type SessionMeta } from "./meta.ts";
import { newSessionPath } from "./path.ts";
import { callIds } from "./repair.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";
import { draftPath, removeDraft, sweep } from "./sweep.ts";
import type { Surroundings } from "./writer.ts";

/** What a fork is made from. */
export interface ForkSource {
  readonly meta: SessionMeta;
  readonly contents: Contents;
  /** Its file and how many bytes of it count; undefined when not all of it is on disk. */
  readonly file: { readonly path: string; readonly end: number } | undefined;
}

interface WrittenFork {
  readonly snapshot: Snapshot;
  readonly lock: SessionLock | "impossible";
}

/** A fork that has been made: a file of its own, or what has still to be saved. */
export type Fork = { readonly path: string; readonly meta: SessionMeta } & (
  | WrittenFork
  | { readonly unsaved: Contents }
);

/**
 * A new session with the first `at` messages of another one, with usage and extension state as of that point
 * (extension-host.md §6.4). A cut between a call and its results is moved behind them. Never rejects: a fork that cannot
 * be written, which the user is told, goes on in memory.
 */
export async function makeFork(source: ForkSource, at: number, surroundings: Surroundings): Promise<Fork> {
  const { entries } = source.contents;
  const point = boundary(entries, at);
  const isAtEnd = point === entries.length;
  const meta = forkedMeta(source.meta, surroundings, point, isAtEnd);
  const path = newSessionPath(surroundings.folder, new Date());
  if (source.file !== undefined && source.file.end > 0) {
    const { path: from, end } = source.file;
    try {
      return { path, meta, ...(await writeFork(path, meta, from, cutAt(source.contents, point, end))) };
    } catch (error) {
      surroundings.warn(`the fork of session ${from} could not be written: ${path}: ${systemText(error)}`);
    }
  }
  return { path, meta, unsaved: firstOf(source.contents, point) };
}

/** `at` brought into range, and behind the results of the calls before it. */
function boundary(entries: readonly Entry[], at: number): number {
  const point = Math.min(Math.max(Math.trunc(at), 0), entries.length);
  const isInsidePair = callIds(entries[point - 1]).length > 0 && entries[point]?.message.role === "tool";
  return isInsidePair ? point + 1 : point;
}

function cutAt({ entries, eraOffset }: Contents, point: number, end: number): Cut {
  const place = entries[point]?.place;
  if (place === undefined) return { end, eraOffset };
  if (place.element === undefined) return { end: place.offset, eraOffset };
  return { end: place.offset, eraOffset, element: place.element };
}

/** Written beside its place and moved there when it is whole: a fork that was cut short must not look like a session. */
async function writeFork(path: string, meta: SessionMeta, from: string, cut: Cut): Promise<WrittenFork> {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = SessionLock.acquire(path);
  if (lock === "busy") throw new Error("the name of the new session is in use");
  const draft = draftPath(folder, basename(path));
  try {
    const fd = openSync(draft, "ax", 0o600);
    try {
      await copyRows(from, fd, meta, cut);
    } finally {
      closeSync(fd);
    }
    renameSync(draft, path);
    sweep(folder);
    return { lock, snapshot: await readSnapshot(path) };
  } catch (error) {
    removeDraft(draft);
    if (lock !== "impossible") lock[Symbol.dispose]();
    throw error;
  }
}

/** The same without a file: extension state is then what it is now. */
function firstOf(contents: Contents, point: number): Contents {
  const first = new Contents();
  for (const entry of contents.entries.slice(0, point)) first.add({ ...entry, place: undefined });
  for (const [extension, state] of contents.states) first.states.set(extension, state);
  // What a compaction or another host switched on stands in no message.
  if (point === contents.entries.length) for (const name of contents.activated) first.activated.add(name);
  first.cumulative = contents.cumulative;
  first.internalContext = contents.internalContext;
  return first;
}
