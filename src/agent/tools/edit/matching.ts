const MAX_LISTED_MATCHES = 5;
/** Counting on would tell the model nothing, and costs seconds in a file of one repeated character. */
const MAX_COUNTED_MATCHES = 1000;

/** One wanted replacement; both texts with LF only. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** A replacement and where it goes: half-open offsets in the text that was searched. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

export type Matching =
  | { readonly ok: true; readonly spans: readonly Span[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Finds the one place of every replacement in `text`, ascending, or says what is wrong with the first that has none
 * (extension-host.md §8.1). All are looked up in the same text: none sees the result of another.
 */
export function matchReplacements(text: string, replacements: readonly Replacement[], path: string): Matching {
  const spans: Span[] = [];
  for (const [index, { oldText, newText }] of replacements.entries()) {
    const name = `edits[${index}].oldText`;
    if (oldText === "") return refused(`${name} is empty`);
    if (oldText === newText) return refused(`${name} and newText are the same; there is nothing to change`);
    const { count, first } = occurrences(text, oldText);
    const [start] = first;
    if (start === undefined) {
      return refused(`${name} was not found in ${path}; it must match the file exactly, including white space`);
    }
    if (count > 1) {
      const more = count > first.length ? ", ..." : "";
      const lines = lineNumbers(text, first).join(", ");
      const matches = count === MAX_COUNTED_MATCHES ? `${count} or more` : `${count}`;
      return refused(
        `${name} has ${matches} matches in ${path} (lines ${lines}${more}); add text around it until it has one`,
      );
    }
    spans.push({ start, end: start + oldText.length, newText });
  }
  spans.sort((a, b) => a.start - b.start);
  for (const [index, span] of spans.entries()) {
    if ((spans[index + 1]?.start ?? text.length) < span.end) return refused("edits overlap; merge them into one edit");
  }
  return { ok: true, spans };
}

function refused(reason: string): Matching {
  return { ok: false, reason };
}

function occurrences(text: string, wanted: string): { count: number; first: readonly number[] } {
  const first: number[] = [];
  let count = 0;
  // One step, not one match, forward: `aa` is in `aaa` twice, and either could be meant.
  for (let at = text.indexOf(wanted); at !== -1 && count < MAX_COUNTED_MATCHES; at = text.indexOf(wanted, at + 1)) {
    if (count < MAX_LISTED_MATCHES) first.push(at);
    count++;
  }
  return { count, first };
}

function lineNumbers(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return offsets.map((offset) => {
    for (let at = text.indexOf("\n", from); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
    from = offset;
    return line;
  });
}
