import type { LineMap } from "./line-map.ts";
import type { Span } from "./matching.ts";

/** The edited text with LF only, for showing. */
export function applyToText(map: LineMap, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const span of spans) {
    parts.push(map.text.slice(from, span.start), span.newText);
    from = span.end;
  }
  return parts.join("") + map.text.slice(from);
}

/**
 * The edited text with the endings of the original. Outside the spans every byte stays (extension-host.md §8.1
 * BUG-44). `spans` are ascending and do not overlap.
 */
export function applyToOriginal(map: LineMap, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const span of spans) {
    const changed = withoutCommonEnds(map.text, span);
    parts.push(map.original.slice(from, map.origin(changed.start)), withEndings(map, changed));
    from = map.origin(changed.end);
  }
  return parts.join("") + map.original.slice(from);
}

/** Models quote lines around the change to make it unique; these keep their own endings too. */
function withoutCommonEnds(text: string, span: Span): Span {
  const limit = Math.min(span.end - span.start, span.newText.length);
  let head = 0;
  while (head < limit && text[span.start + head] === span.newText[head]) head++;
  let tail = 0;
  while (tail < limit - head && text[span.end - 1 - tail] === span.newText[span.newText.length - 1 - tail]) tail++;
  return {
    start: span.start + head,
    end: span.end - tail,
    newText: span.newText.slice(head, span.newText.length - tail),
  };
}

/** Each new newline is written like the one that it stands for; further ones like the last of these, or the next. */
function withEndings(map: LineMap, span: Span): string {
  if (!span.newText.includes("\n")) return span.newText;
  let ending = map.endingNear(span.start, span.end);
  let replaced = map.text.indexOf("\n", span.start);
  return span.newText.replaceAll("\n", () => {
    if (replaced !== -1 && replaced < span.end) {
      ending = map.endingAt(replaced);
      replaced = map.text.indexOf("\n", replaced + 1);
    }
    return ending;
  });
}
