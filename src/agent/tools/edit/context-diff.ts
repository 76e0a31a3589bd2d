import { DIFF_MAX_MS } from "../limits.ts";

const CONTEXT_LINES = 3;

/**
 * What an edit changed, as rows ` `, `-` and `+` with 3 lines of context, `...` between hunks and no header
 * (extension-host.md §8.1). Both texts with LF only.
 */
export async function contextDiff(before: string, after: string): Promise<string> {
  // Loaded by the first edit, not by every start.
  const { structuredPatch } = await import("diff");
  const patch = structuredPatch("", "", before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    timeout: DIFF_MAX_MS,
  });
  if (patch === undefined) return "(the change is too large to be shown as a diff)";
  // `\ No newline at end of file` is a note of the patch format, no row of the file.
  const hunks = patch.hunks.map((hunk) => hunk.lines.filter((line) => !line.startsWith("\\")).join("\n"));
  return hunks.join("\n...\n");
}
