import { previewOf } from "../../../agent/approval.ts";
import { RawJson } from "../../../wire/raw-json.ts";
import { headOf } from "../text/cut.ts";

const COMPACT_MAX_CHARS = 200;
const HEAD_MAX_CHARS = 4 * 1024;
/** Of longer ones only the beginning is looked at. */
const PARSED_MAX_CHARS = 1024 * 1024;

/**
 * One line that tells what a call does: the telling argument (a command, a path), else the arguments themselves. `args` is
 * whatever the model wrote so far, so it may not be JSON.
 */
export function toolTitle(args: string): string {
  const json = parsedArguments(args);
  if (json === undefined) return firstString(args);
  const preview = previewOf(json);
  if (preview !== "") return preview;
  return json.text === "{}" ? "" : headOf(json.text, COMPACT_MAX_CHARS);
}

/** The command that a shell is given, as far as it may be repeated in the result; undefined when there is none. */
export function commandOf(args: string): string | undefined {
  const value = parsedArguments(args)?.value();
  if (value === null || typeof value !== "object" || !("command" in value)) return undefined;
  return typeof value.command === "string" ? headOf(value.command, HEAD_MAX_CHARS) : undefined;
}

/** Undefined: not JSON, not yet, or too long to be looked at. */
export function parsedArguments(args: string): RawJson | undefined {
  if (args.length > PARSED_MAX_CHARS) return undefined;
  try {
    return RawJson.parse(args);
  } catch {
    // Still on its way, or not JSON at all; then it is shown as it is.
    return undefined;
  }
}

/** The value of the first member, as far as it has come. */
function firstString(args: string): string {
  const head = headOf(args, HEAD_MAX_CHARS);
  return headOf(/^\s*\{\s*"[^"]*"\s*:\s*"((?:[^"\\]|\\.)*)/.exec(head)?.[1] ?? "", COMPACT_MAX_CHARS);
}
