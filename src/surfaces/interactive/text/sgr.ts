/** More than any renderer writes at once; the rest of such a sequence is dropped. */
const PARAMETERS_MAX = 32;

/**
 * Attributes and colours that only change how text looks. Left out on purpose: blinking (5, 6), and hidden text (8), which
 * would let a stranger put words on the screen that nobody sees.
 */
function isPlainAttribute(code: number): boolean {
  return (
    [0, 1, 2, 3, 4, 7, 9, 21, 22, 23, 24, 25, 27, 28, 29, 39, 49, 53, 55, 59].includes(code) ||
    (code >= 30 && code <= 37) ||
    (code >= 40 && code <= 47) ||
    (code >= 90 && code <= 97) ||
    (code >= 100 && code <= 107)
  );
}

const EXTENDED_COLOURS = new Set([38, 48, 58]);

/**
 * An SGR sequence with nothing in it but what is allowed, or "" when nothing is.
 * @param parameters what stands between `ESC [` and `m`
 */
export function allowedSgr(parameters: string): string {
  const words = parameters.split(";").slice(0, PARAMETERS_MAX);
  const kept: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (word.includes(":")) {
      if (isColonForm(word)) kept.push(word);
      continue;
    }
    const code = word === "" ? 0 : byteOf(word);
    if (code === undefined) continue;
    if (!EXTENDED_COLOURS.has(code)) {
      if (isPlainAttribute(code)) kept.push(String(code));
      continue;
    }
    const colour = extendedColour(words.slice(at + 1));
    // Without a colour the numbers that follow cannot be told from attributes.
    if (colour === undefined) break;
    kept.push(`${code};${colour.join(";")}`);
    at += colour.length;
  }
  return kept.length === 0 ? "" : `\u001b[${kept.join(";")}m`;
}

/** `5;n` or `2;r;g;b`, as the words behind 38, 48 or 58. */
function extendedColour(words: readonly string[]): readonly number[] | undefined {
  const length = { "5": 2, "2": 4 }[words[0] ?? ""];
  if (length === undefined || words.length < length) return undefined;
  const numbers = words.slice(0, length).map(byteOf);
  return numbers.every((n) => n !== undefined) ? numbers : undefined;
}

/** `4:3` (underline style), `38:5:n`, `38:2::r:g:b` and the like: sub-parameters stay inside one word. */
function isColonForm(word: string): boolean {
  const [head, ...rest] = word.split(":");
  if (head !== "4" && !EXTENDED_COLOURS.has(Number(head))) return false;
  return rest.length <= 6 && rest.every((part) => part === "" || byteOf(part) !== undefined);
}

function byteOf(text: string): number | undefined {
  return /^\d{1,3}$/.test(text) && Number(text) <= 255 ? Number(text) : undefined;
}
