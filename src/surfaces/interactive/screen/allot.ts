/** What one region of the screen would like. */
export interface Wish {
  /** Rows below which it is no use; 0 for what may vanish. */
  readonly min: number;
  /** Rows at which it shows everything. */
  readonly want: number;
}

/**
 * Rows for each region, in the order given, which is their importance: first everybody's least, then everybody's wish,
 * but always `rest` rows for what fills the remainder (the transcript) as long as there are any. The sum never exceeds
 * `rows`.
 */
export function allot(rows: number, rest: number, wishes: readonly Wish[]): number[] {
  let left = Math.max(0, rows);
  const given = wishes.map(({ min, want }) => {
    const least = Math.min(min, want, left);
    left -= least;
    return least;
  });
  left -= Math.min(rest, left);
  return wishes.map(({ want }, index) => {
    const least = given[index] ?? 0;
    const more = Math.max(0, Math.min(want - least, left));
    left -= more;
    return least + more;
  });
}
