/** Edit distance, bounded by the callers' short names; two rows, no matrix. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** Longest name that is compared; anything longer is not a typing error. */
const MAX_COMPARED = 80;

/**
 * The known names closest to what was typed, best first: names that contain it (or are contained in it) before names that
 * merely look like it. Empty when nothing is near enough to be a help.
 */
export function nearest(typed: string, known: readonly string[], limit = 3): string[] {
  const wanted = typed.toLowerCase().slice(0, MAX_COMPARED);
  if (wanted === "") return [];
  const scored = known.map((name) => {
    const candidate = name.toLowerCase().slice(0, MAX_COMPARED);
    const related = candidate.includes(wanted) || wanted.includes(candidate);
    const steps = distance(wanted, candidate);
    return { name, steps: related ? steps / 100 : steps, related };
  });
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  return scored
    .filter(({ related, steps }) => related || steps <= allowed)
    .sort((left, right) => left.steps - right.steps || left.name.localeCompare(right.name))
    .slice(0, limit)
    .map(({ name }) => name);
}

/** `; did you mean a, b?` or nothing, to end an error text with. */
export function didYouMean(typed: string, known: readonly string[]): string {
  const names = nearest(typed, known);
  return names.length === 0 ? "" : `; did you mean ${names.join(", ")}?`;
}
