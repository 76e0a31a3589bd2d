import { wrapRows } from "../text/cells.ts";
import { headOf, tailOf } from "../text/cut.ts";
import { safeText } from "../text/safe-text.ts";
import type { Look } from "../theme/look.ts";
import { diffRows } from "./diff-rows.ts";

/** Text of one result that is kept for the screen; the session has all of it. */
const KEPT_CHARS = 256 * 1024;
const ROWS_MAX = 2_000;
const LEFT_OUT = /\n\.\.\. \[truncated at \d+ (?:lines|bytes)\]$/;

/** Cuts the text of a tool to what a card keeps: its head, since that is where the failure of a command stands. */
export function keptText(text: string): string {
  return text.length <= KEPT_CHARS ? text : `${headOf(text, KEPT_CHARS)}\n… (cut on the screen)`;
}

/** The last part of what a running tool has said. */
export function keptTail(text: string): string {
  return text.length <= KEPT_CHARS ? text : tailOf(text, KEPT_CHARS / 2);
}

/** Lines of a file, without the word of `read` that there are more (agent/tools/read.ts). */
export function fileLines(text: string): number {
  const content = text.replace(LEFT_OUT, "\n");
  const lines = content.split("\n").length;
  return content === "" || content.endsWith("\n") ? lines - 1 : lines;
}

/** The text of a tool's result as rows. */
export function outputRows(tool: string, text: string, look: Look, width: number): string[] {
  const shown = withoutEmptyEnd(safeText(withoutOverwritten(text), "keep"));
  if (tool === "edit") return diffRows(safeText(shown, "strip"), look, width, ROWS_MAX);
  return wrapRows(shown, width, ROWS_MAX).map((row) => look.paint("toolOutput", row));
}

/** A progress bar writes over its line; the last state of a line is what a terminal would show. */
function withoutOverwritten(text: string): string {
  if (!text.includes("\r")) return text;
  const lines = text.split("\n").map((line) => {
    const content = line.endsWith("\r") ? line.slice(0, -1) : line;
    return line.slice(content.lastIndexOf("\r") + 1);
  });
  return lines.join("\n");
}

/** Counted, not matched: an expression would look at every line feed of every run of them. */
function withoutEmptyEnd(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}
