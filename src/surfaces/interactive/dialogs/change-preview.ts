import { readFile, stat } from "node:fs/promises";
import type { ApprovalRequest } from "../../../agent/approval.ts";
import { applyToText } from "../../../agent/tools/edit/apply.ts";
import { contextDiff } from "../../../agent/tools/edit/context-diff.ts";
import { LineMap } from "../../../agent/tools/edit/line-map.ts";
import { matchReplacements, type Replacement } from "../../../agent/tools/edit/matching.ts";
import { resolvePath } from "../../../agent/tools/path.ts";

/** A larger file is not read only to show what would become of it. */
const FILE_MAX_BYTES = 512 * 1024;

/** A path as it was given, and what would become of the file; both are text of a stranger. */
export interface Change {
  readonly path: string;
  readonly diff: string;
}

/**
 * What a write or an edit would change; undefined for other tools, and where it cannot be told. Made with the tool's own matching,
 * so that what is shown is what would be done.
 */
export async function changePreview({ name, args }: ApprovalRequest, cwd: string): Promise<Change | undefined> {
  if (name !== "write" && name !== "edit") return undefined;
  const members = membersOf(args.value());
  const path = members.get("path");
  if (typeof path !== "string") return undefined;
  const before = await textOf(resolvePath(cwd, path));
  if (before === undefined) return undefined;
  const old = new LineMap(before);
  const after = name === "write" ? members.get("content") : edited(old, members.get("edits"), path);
  if (typeof after !== "string") return undefined;
  const diff = await contextDiff(old.text, new LineMap(after).text);
  // No rows, or a note in place of them: what would be done must be seen all the same.
  return diff === "" || diff.startsWith("(") ? undefined : { path, diff };
}

/** "" for a file that is not there yet; undefined for one that is no text of a sensible size. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const { size, isFile } = await describe(path);
    return isFile && size <= FILE_MAX_BYTES ? await readFile(path, "utf8") : undefined;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? "" : undefined;
  }
}

async function describe(path: string): Promise<{ readonly size: number; readonly isFile: boolean }> {
  const found = await stat(path);
  return { size: found.size, isFile: found.isFile() };
}

/** The text after all edits; undefined when they would fail anyway. */
function edited(old: LineMap, edits: unknown, path: string): string | undefined {
  if (!Array.isArray(edits)) return undefined;
  const matching = matchReplacements(old.text, edits.map(replacementOf), path);
  return matching.ok ? applyToText(old, matching.spans) : undefined;
}

function replacementOf(edit: unknown): Replacement {
  const members = membersOf(edit);
  const text = (key: string): string => {
    const member = members.get(key);
    return typeof member === "string" ? member.replaceAll("\r\n", "\n") : "";
  };
  return { oldText: text("oldText"), newText: text("newText") };
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>(typeof value === "object" && value !== null ? Object.entries(value) : []);
}
