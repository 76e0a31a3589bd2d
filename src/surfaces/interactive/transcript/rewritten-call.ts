import type { Rewrite } from "../../../agent/events.ts";
import { wrapRows } from "../text/cells.ts";
import { headOf } from "../text/cut.ts";
import { safeLine, safeText } from "../text/safe-text.ts";
import { parsedArguments, toolTitle } from "./tool-title.ts";

const MAX_ROWS = 200;
const MAX_CHARS = 16 * 1024;

/** Who changed a call, and to what: what ran is not what the model wrote. Undefined: in the end it is the same. */
export function changeText(original: string, { args, extensions }: Rewrite): string | undefined {
  const [before, after] = [parsedArguments(original), parsedArguments(args)];
  if (before !== undefined && before.text === after?.text) return undefined;
  const who = extensions.map((extension) => safeLine(extension, "strip")).join(", ");
  const what = changedPart(membersOf(before?.value()), membersOf(after?.value()), args);
  return `changed by ${who}: ${safeText(headOf(what, MAX_CHARS), "strip")}`;
}

/** @param text safe text */
export function changeRows(text: string, width: number): string[] {
  return wrapRows(text, width, MAX_ROWS);
}

/** The argument that tells most when it alone has changed, else all that changed, else all of `args`. */
function changedPart(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>, args: string): string {
  const changed = [...after].filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before.get(key)));
  const isShorter = [...before.keys()].some((key) => !after.has(key));
  const [first, ...others] = changed;
  if (first === undefined || isShorter) return args;
  const [, value] = first;
  const title = toolTitle(args);
  if (others.length === 0 && typeof value === "string" && title !== "" && value.startsWith(title)) return value;
  return JSON.stringify(Object.fromEntries(changed));
}

function membersOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(value !== null && typeof value === "object" ? Object.entries(value) : []);
}
