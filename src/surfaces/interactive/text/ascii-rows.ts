const WORDS = / +|[^ ]+/g;

/**
 * One line of printable ASCII as rows of at most `width` cells. The rows are those of the terminal library's wrapper, which
 * needs a hundred times as long for them; anything else is left to it.
 */
export function asciiRows(line: string, width: number): string[] {
  if (line.length <= width) return [line];
  const rows: string[] = [];
  let row = "";
  for (const [word] of line.matchAll(WORDS)) {
    const isBlank = word.startsWith(" ");
    if (word.length > width && !isBlank) {
      if (row !== "") rows.push(row.trimEnd());
      let from = 0;
      for (; word.length - from > width; from += width) rows.push(word.slice(from, from + width));
      row = word.slice(from);
    } else if (row !== "" && row.length + word.length > width) {
      rows.push(row.trimEnd());
      row = isBlank ? "" : word;
    } else row += word;
  }
  if (row !== "") rows.push(row.trimEnd());
  return rows;
}
