import { LINK_END, linkStart, withoutFalseLinks } from "./safe-link.ts";
import { allowedSgr } from "./sgr.ts";

/** `keep`: colours and safe links stay; `strip`: nothing stays but text. */
type Styles = "keep" | "strip";

const TAB = "    ";
/** Marks on one letter; the scripts of the world need fewer, and a pile of them paints over the rows above. */
const COMBINING_MAX = 8;

/** What ends the payload of a control string, besides its terminator: a line feed, or what a terminal takes as abort. */
const PAYLOAD = "[^\\u0007\\u0018\\u001a\\u001b\\u009c\\n]*";
const TERMINATOR = "(?:\\u0007|\\u001b\\\\|\\u009c)?";

/** Escape sequences and controls in the order in which they must be tried. 7-bit and 8-bit forms alike. */
const SEQUENCE = new RegExp(
  [
    "(?:\\u001b\\[|\\u009b)(?<parameters>[0-?]*)(?<intermediates>[ -/]*)(?<final>[@-~]?)",
    `(?:\\u001b\\]|\\u009d)(?<osc>${PAYLOAD})${TERMINATOR}`,
    `(?:\\u001b[PX^_]|[\\u0090\\u0098\\u009e\\u009f])${PAYLOAD}${TERMINATOR}`,
    "\\u001b[ -/]*[0-~]?",
    "(?<newline>\\r?\\n)",
    "(?<tab>\\t)",
    "[\\u0000-\\u001f\\u007f-\\u009f]",
  ].join("|"),
  "g",
);

/**
 * Characters without a cell that change what stands around them: bidi overrides and isolates (they turn a whole row
 * around), invisible operators, the byte order mark, interlinear notes, and tags. Joiners stay: emoji and scripts need them.
 */
const INVISIBLE = /[\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
const LINE_SEPARATORS = /[\u2028\u2029]/g;
/**
 * Marks without a letter before them, at the start of a row or behind a sequence: nobody agrees on how wide they are, the
 * library not even with itself (combining musical symbols).
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences are what marks may stand behind
const LONELY_MARKS = /(^|\n|\u001b\[[0-9;:]*m|\u0007)[\u200b-\u200d]*\p{M}+/gu;
const PILED_MARKS = new RegExp(`(\\p{M}{${COMBINING_MAX}})\\p{M}+`, "gu");

/**
 * Text that needs no work, which is most of what a session shows: ASCII, Latin letters, punctuation, arrows, lines and boxes.
 * No mark, no control and nothing invisible is among them.
 */
const HARMLESS = /^[\n\u0020-\u007e\u00a1-\u00ac\u00ae-\u00ff\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u25ff]*$/;

/**
 * Text of a stranger (a model, a tool, an extension) as text for our screen: an allow-list of SGR and OSC 8 links, line
 * feeds, and characters that take cells. Nothing in the result can move the cursor, set the clipboard or the title,
 * switch a mode, or reach beyond its own rows (architecture.md rule 7). Idempotent.
 */
export function safeText(text: string, styles: Styles = "keep"): string {
  if (HARMLESS.test(text)) return text;
  const characters = text.toWellFormed().replace(LINE_SEPARATORS, "\n");
  const safe = styles === "strip" ? characters.replace(SEQUENCE, plain) : withStyles(characters);
  // Behind the sequences: what stood on both sides of one is together only now.
  return withoutFalseLinks(withoutLonelyMarks(safe.replace(INVISIBLE, "").replace(PILED_MARKS, "$1")));
}

/** Safe text that was cut or put together anew. */
export function withoutLonelyMarks(safe: string): string {
  return HARMLESS.test(safe) ? safe : safe.replace(LONELY_MARKS, "$1");
}

/** One row: line feeds are shown as a sign (extension-host.md §5.5). */
export function safeLine(text: string, styles: Styles = "keep"): string {
  return safeText(text, styles).replaceAll("\n", " ↩ ");
}

function plain(_match: string, ...rest: readonly unknown[]): string {
  const { newline, tab } = groupsOf(rest);
  if (newline !== undefined) return "\n";
  return tab === undefined ? "" : TAB;
}

function withStyles(text: string): string {
  let linkOpen = false;
  const closeLink = (): string => {
    const end = linkOpen ? LINK_END : "";
    linkOpen = false;
    return end;
  };
  const safe = text.replace(SEQUENCE, (_match, ...rest: readonly unknown[]) => {
    const { parameters, intermediates, final, osc, newline, tab } = groupsOf(rest);
    if (final !== undefined) return final === "m" && intermediates === "" ? allowedSgr(parameters ?? "") : "";
    // A link that spans rows would also cover what we draw beside them.
    if (newline !== undefined) return `${closeLink()}\n`;
    if (tab !== undefined) return TAB;
    const url = osc === undefined ? undefined : /^8;[^;]*;(.*)$/.exec(osc)?.[1];
    if (url === undefined) return "";
    const end = closeLink();
    const start = linkStart(url);
    linkOpen = start !== undefined;
    return end + (start ?? "");
  });
  return safe + closeLink();
}

type Groups = Readonly<Record<string, string | undefined>>;

/** The named groups, which `replace` hands over as the last argument. */
function groupsOf(rest: readonly unknown[]): Groups {
  const last = rest.at(-1);
  return isGroups(last) ? last : {};
}

function isGroups(value: unknown): value is Groups {
  return typeof value === "object" && value !== null;
}
