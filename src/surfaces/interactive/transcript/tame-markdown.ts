import { blocksOf } from "./block-lexer.ts";

/** Quotes and lists inside each other: the library calls itself for each, and nobody reads the hundredth level. */
const MARKERS_MAX = 32;
const INDENT_MAX = 4 * MARKERS_MAX;
/** Emphasis that is opened and not closed: for each of them the library looks through all that follows. */
const OPENINGS_MAX = 48;
/** One paragraph, list item or cell. */
const RUN_MAX_CHARS = 6 * 1024;

/** Lines of one list item times their characters: at each of them the library looks through all that follow. */
const ITEM_WORK_MAX = 100_000;
const LIST = /^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]/m;

const MARKER = "(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]|$))";
/** A line that begins with too many markers, or with one that is set in too far. */
const DEEP_LINE = new RegExp(`^(?:[ \\t]{${INDENT_MAX},}${MARKER}|(?:[ \\t]*${MARKER}){${MARKERS_MAX + 1}})`, "m");
const FENCE = /^(`{3,}|~{3,})/;

/** Where the first line stands that nests deeper than the library can be trusted with; undefined when there is none. */
export function deepLine(text: string): { readonly start: number; readonly end: number } | undefined {
  if (!DEEP_LINE.test(text)) return undefined;
  let fence: string | undefined;
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf("\n", start);
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    const line = text.slice(start, end);
    // Code may begin with anything.
    const marks: string | undefined = FENCE.exec(line)?.[1];
    if (fence === undefined) fence = marks;
    else if (marks?.startsWith(fence) === true) fence = undefined;
    if (fence === undefined && DEEP_LINE.test(line)) return { start, end };
    start = end;
  }
  return undefined;
}

/** Whether the library draws this in a time that its length accounts for. Throws what the library throws. */
export function isTame(text: string): boolean {
  if (deepLine(text) !== undefined) return false;
  const hasList = LIST.test(text);
  return isTameRun(text, hasList) || blocksOf(text).runs.every((run) => isTameRun(run, hasList));
}

function isTameRun(text: string, isInList: boolean): boolean {
  if (text.length > RUN_MAX_CHARS || openings(text) > OPENINGS_MAX) return false;
  return !isInList || text.length * text.split("\n").length <= ITEM_WORK_MAX;
}

/** How many pieces of emphasis are open at once, by the rules of CommonMark. */
function openings(text: string): number {
  const open = { "*": 0, _: 0 };
  let most = 0;
  for (const { 0: marks, index } of text.matchAll(/\*+|_+/g)) {
    const kind = marks.startsWith("*") ? "*" : "_";
    const before = text.charAt(index - 1);
    const after = text.charAt(index + marks.length);
    const isLeft = flanks(after, before);
    const isRight = flanks(before, after);
    const closes = isRight && (kind === "*" || !isLeft || isPunctuation(after));
    const opens = isLeft && (kind === "*" || !isRight || isPunctuation(before));
    if (closes && open[kind] > 0) open[kind] -= 1;
    else if (opens) open[kind] += 1;
    most = Math.max(most, open["*"] + open._);
  }
  return most;
}

function flanks(inner: string, outer: string): boolean {
  if (isSpace(inner)) return false;
  return !isPunctuation(inner) || isSpace(outer) || isPunctuation(outer);
}

function isSpace(char: string): boolean {
  return char === "" || /\s/.test(char);
}

function isPunctuation(char: string): boolean {
  return /[\p{P}\p{S}]/u.test(char);
}
